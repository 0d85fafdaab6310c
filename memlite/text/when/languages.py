"""The words of time in German, French, Spanish and Portuguese; `lexicon` says how to read the lines."""

DE = """
M 1 januar jänner
M 2 februar
M 3 märz maerz
M 4 april
M 5 mai
M 6 juni
M 7 juli
M 8 august
M 9 september sept
M 10 oktober okt
M 11 november nov
M 12 dezember dez
W 0 montag montagmorgen montagfrüh montagmittag montagnachmittag montagabend ?mo
W 1 dienstag dienstagmorgen dienstagfrüh dienstagmittag dienstagnachmittag dienstagabend ?di
W 2 mittwoch mittwochmorgen mittwochfrüh mittwochmittag mittwochnachmittag mittwochabend ?mi
W 3 donnerstag donnerstagmorgen donnerstagfrüh donnerstagmittag donnerstagnachmittag donnerstagabend
W 4 freitag freitagmorgen freitagfrüh freitagmittag freitagnachmittag freitagabend ?fr
W 5 samstag samstagmorgen samstagfrüh samstagmittag samstagnachmittag samstagabend sonnabend ?sa
W 6 sonntag sonntagmorgen sonntagfrüh sonntagmittag sonntagnachmittag sonntagabend ?so
U day tag tage tagen
U week woche wochen
U weekend wochenende wochenenden
U month monat monate monaten monats
U quarter quartal quartale
U year jahr jahre jahren jahres
S spring frühling frühjahr
S summer sommer
S autumn herbst
S winter winter
R -2 vorgestern
R -1 gestern
R 0 heute
R 1 morgen
R 2 übermorgen
P morning morgen früh abend nacht mittag nachmittag vormittag morgens abends
H 12-25 weihnachten
H 12-24 heiligabend
H 12-31 silvester
H 01-01 neujahr
L - letzte letzten letzter letztes letztem vergangene vergangenen vorige vorigen voriger voriges
X - nächste nächsten nächster nächstes nächstem kommende kommenden kommender kommendes
T - diese diesen dieser dieses diesem
h - vor
a 1 ein einem einer eine einen
N 2 zwei
N 3 drei
N 4 vier
N 5 fünf
N 6 sechs
N 7 sieben
N 8 acht
N 9 neun
N 10 zehn
N 12 zwölf
F 2 paar ein_paar
F 3 einige einigen wenigen mehreren
E early anfang beginn
E mid mitte
E late ende
o - von vom des
t - der die das den dem
i in in
i on am im an zum für beim um
b - heute_in
r since seit seitdem
r from ab
r until bis bis_zum
r around gegen circa ca etwa um_den
r from von
q before vor
q after nach
B - zwischen
& - und
- - bis bis_zum
e - jeden jede jedes jeder
"""

FR = """
M 1 janvier janv
M 2 février fevrier févr
M 3 mars
M 4 avril avr
M 5 mai
M 6 juin
M 7 juillet juil
M 8 août aout
M 9 septembre
M 10 octobre oct
M 11 novembre nov
M 12 décembre decembre déc
W 0 lundi
W 1 mardi
W 2 mercredi
W 3 jeudi
W 4 vendredi
W 5 samedi
W 6 dimanche
U day jour jours
U week semaine semaines
U weekend week-end weekend
U month mois
U year an ans année années
S spring printemps
S summer ?été
S autumn automne
S winter hiver
R -2 avant-hier
R -1 hier
R 0 aujourd'hui ce_soir ce_matin cet_après-midi
R 1 demain
R 2 après-demain
P morning matin soir après-midi nuit au_soir au_matin
H 12-25 noël
l - dernier dernière passé passée
x - prochain prochaine
T - ce cet cette
h - il_y_a y_a
a 1 un une
N 2 deux
N 3 trois
N 4 quatre
N 5 cinq
N 6 six
N 7 sept
N 8 huit
N 9 neuf
N 10 dix
F 3 quelques
E early début début_de
E mid mi mi-
E late fin fin_de
o - de du d'
t - le la les l'
i in en
i on au à pour durant pendant
b - dans
r since depuis
r from dès à_partir_de à_partir_du
r until jusqu'à jusqu'au jusqu'en
r around vers environ autour_du
q before avant
q after après
B - entre
& - et
- - au
e - chaque tous toutes
"""

ES = """
M 1 enero
M 2 febrero feb
M 3 marzo
M 4 abril abr
M 5 mayo
M 6 junio
M 7 julio
M 8 agosto
M 9 septiembre setiembre sept
M 10 octubre oct
M 11 noviembre nov
M 12 diciembre dic
W 0 lunes
W 1 martes
W 2 miércoles miercoles
W 3 jueves
W 4 viernes
W 5 sábado sabado
W 6 domingo
U day día días dia dias
U week semana semanas
U weekend fin_de_semana finde fines_de_semana
U month mes meses
U year año años
S spring primavera
S summer verano
S autumn otoño
S winter invierno
R -2 anteayer antes_de_ayer
R -1 ayer anoche
R 0 hoy
R 1 mañana
R 2 pasado_mañana
P morning tarde noche por_la_mañana por_la_tarde por_la_noche de_la_mañana a_la_mañana
H 12-25 navidad
H 12-24 nochebuena
H 12-31 nochevieja
L - último última
l - pasado pasada
x - próximo próxima que_viene
T - este esta
A - atrás
h - hace
a 1 un una
N 2 dos
N 3 tres
N 4 cuatro
N 5 cinco
N 6 seis
N 7 siete
N 8 ocho
N 9 nueve
N 10 diez
F 2 par_de un_par_de
F 3 unos unas algunos algunas pocos
E early principios_de comienzos_de inicios_de
E mid mediados_de
E late finales_de fines_de fin_de final_de
o - de del
t - el la los las
i in en
i on para al durante
b - dentro_de
r since desde desde_hace
r from a_partir_de
r until hasta
r around alrededor_de sobre
q before antes_de antes_del
q after después_de después_del tras
B - entre
& - y
- - a al
e - cada todos todas
"""

PT = """
M 1 janeiro jan
M 2 fevereiro fev
M 3 março marco ?mar
M 4 abril abr
M 5 maio ?mai
M 6 junho jun
M 7 julho jul
M 8 agosto ?ago
M 9 setembro ?set
M 10 outubro ?out
M 11 novembro nov
M 12 dezembro ?dez
W 0 segunda-feira ?segunda
W 1 terça-feira terça ?terca
W 2 quarta-feira ?quarta
W 3 quinta-feira ?quinta
W 4 sexta-feira sexta
W 5 sábado sabado
W 6 domingo
U day dia dias
U week semana semanas
U weekend fim_de_semana fds final_de_semana fins_de_semana
U month mês mes meses
U year ano anos
S spring primavera
S summer verão
S autumn outono
S winter inverno
R -2 anteontem
R -1 ontem
R 0 hoje
R 1 amanhã amanha
R 2 depois_de_amanhã
P morning manhã noite tarde à_noite à_tarde de_manhã de_noite de_tarde
H 12-25 natal
H 12-31 réveillon
L - último última
l - passado passada retrasado
x - próximo próxima que_vem
T - este esta neste nesta esse essa nesse nessa deste desta
A - atrás
h - há faz
a 1 um uma
N 2 dois duas
N 3 três
N 4 quatro
N 5 cinco
N 6 seis
N 7 sete
N 8 oito
N 9 nove
N 10 dez
F 2 par_de um_par_de
F 3 alguns algumas poucos uns umas
E early começo_de início_de começo_do início_do início comecinho_de
E mid meados_de meados meio_de meio_do
E late fim_de final_de fim_do final_do finais_de
o - de do da
t - o a os as
i in em
i on no na nos nas ao à num para pra durante
b - daqui_a dentro_de
r since desde
r from a_partir_de
r until até
r around por_volta_de lá_por cerca_de
q before antes_de antes_do antes_da
q after depois_de depois_do depois_da após
B - entre
& - e
- - ao_dia
e - todo toda cada todos todas
"""
