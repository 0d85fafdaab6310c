"""What a question asks of records: the dimension, the assistant's part, times, places, keywords, types."""

import json
import time
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memlite.retrieve.analyse import analyse
from memlite.retrieve.asked import read
from memlite.types.query import Analysis, Filters

ASKED = date(2023, 6, 20)  # a Tuesday
DATA = Path(__file__).parents[3] / "shared" / "data"

DIMENSIONS = [
    # -- English: the plain forms --
    ("When did we switch to Postgres?", "time"),
    ("when is the dentist appointment", "time"),
    ("What day is the parent-teacher evening?", "time"),
    ("What time does the ferry to Troia leave?", "time"),
    ("In which year did Omar finish his thesis?", "time"),
    ("What's the date of the house viewing?", "time"),
    ("What is Sofia's birthday?", "time"),
    ("How long has Priya been vegetarian?", "time"),
    ("How long ago did the boiler break?", "time"),
    ("How many weeks ago did I start running?", "time"),
    ("Since when does the job run at night?", "time"),
    ("Until when is the lease valid?", "time"),
    ("Where do I keep the spare key?", "location"),
    ("where's the staging config", "location"),
    ("Which city did Tomas move to?", "location"),
    ("What country is her husband from?", "location"),
    ("From where did you order the tiles?", "location"),
    ("What is the address of the vet?", "location"),
    ("Why did we drop the Redis cache?", "reason"),
    ("How come the deploy failed on Friday?", "reason"),
    ("What made Lena quit the choir?", "reason"),
    ("What was the reason for moving the meeting?", "reason"),
    ("For what reason is the flag off?", "reason"),
    ("What did Ines buy the red paint for?", "purpose"),
    ("What is the purpose of the nightly export?", "purpose"),
    ("What for do we keep two queues?", "purpose"),
    ("Who recommended the plumber?", "person"),
    ("With whom did I go to the concert?", "person"),
    ("Whose laptop has the broken hinge?", "person"),
    ("Which colleague knows the billing code?", "person"),
    ("How many chickens does Aunt Rosa have?", "number"),
    ("How much did the new bike cost?", "number"),
    ("How old is my nephew?", "number"),
    ("How often do I water the orchid?", "number"),
    ("What's the port of the metrics server?", "number"),
    ("What was the total budget for the kitchen?", "number"),
    ("What did I cook for the neighbours?", "content"),
    ("Which framework does the frontend use?", "content"),
    ("How do I reset the router?", "content"),
    ("What kind of place does Nuno want to open?", "content"),
    ("Did Marta finish the marathon?", "content"),
    ("redis timeout", "content"),
    ("", "content"),
    # -- led in, behind a clause, at the end --
    ("Do you remember where I parked?", "location"),
    ("Can you remind me when the passport expires?", "time"),
    ("I forgot who has my drill", "person"),
    ("I was wondering why the tests are slow", "reason"),
    ("Hey, so how many guests are coming?", "number"),
    ("After the release, who was on call?", "person"),
    ("When I was in Porto, what did I eat?", "content"),
    ("When Jon was ill, who walked the dog?", "person"),
    ("When Jon moved?", "time"),
    ("You put the invoices where?", "location"),
    ("We changed the password when?", "time"),
    ("I am packing and would love it if you could remind me where the tent is", "location"),
    # -- words that only look like it --
    ("What did I say when the alarm rang?", "content"),
    ("Is the office where we met still open?", "content"),
    ("What is Ken known for?", "content"),
    ("What did Ana apply for?", "content"),
    ("the whenever button", "content"),
    ("What is my personal best time?", "content"),
    # -- German --
    ("Wann habe ich den Vertrag unterschrieben?", "time"),
    ("Seit wann wohnt Jonas in Köln?", "time"),
    ("An welchem Tag kommt der Handwerker?", "time"),
    ("Wo liegt der Ersatzschlüssel?", "location"),
    ("Woher kommt der Fehler?", "location"),
    ("Warum haben wir Kafka verworfen?", "reason"),
    ("Wieso ist der Server langsam?", "reason"),
    ("Wozu brauche ich die zweite Karte?", "purpose"),
    ("Wofür ist das Skript da?", "purpose"),
    ("Wer hat die Katze gefüttert?", "person"),
    ("Mit wem war ich im Kino?", "person"),
    ("Wie viele Gäste kommen?", "number"),
    ("Wie alt ist meine Nichte?", "number"),
    ("Was mag Petra am liebsten?", "content"),
    ("Wie heißt mein Zahnarzt?", "content"),
    ("Weißt du noch, wann die Prüfung war?", "time"),
    # -- Portuguese --
    ("Quando é que o João faz anos?", "time"),
    ("Há quanto tempo moro em Braga?", "time"),
    ("Em que ano comprei a casa?", "time"),
    ("Onde guardei o passaporte?", "location"),
    ("Em que cidade vive a minha irmã?", "location"),
    ("Por que mudámos de fornecedor?", "reason"),
    ("porque é que o teste falha", "reason"),
    ("Para que serve a segunda base de dados?", "purpose"),
    ("Quem consertou a máquina de lavar?", "person"),
    ("Com quem fui ao cinema?", "person"),
    ("Quantos filhos tem a Rita?", "number"),
    ("Qual é o meu prato favorito?", "content"),
    ("Você lembra onde deixei o carro?", "location"),
    # -- Spanish --
    ("¿Cuándo empieza el curso?", "time"),
    ("cuando cambiamos la contraseña", "time"),
    ("¿Desde cuándo vive Pablo en Madrid?", "time"),
    ("¿Dónde está la llave del trastero?", "location"),
    ("¿En qué ciudad trabaja mi prima?", "location"),
    ("¿Por qué dejamos de usar Mongo?", "reason"),
    ("¿Para qué sirve el segundo servidor?", "purpose"),
    ("¿Quién arregló la lavadora?", "person"),
    ("¿Cuántos gatos tiene Elena?", "number"),
    ("¿Qué le gusta a mi suegra?", "content"),
    ("¿Te acuerdas de cuándo fue la boda?", "time"),
    # -- French --
    ("Quand ai-je vendu la voiture ?", "time"),
    ("Depuis quand Luc habite-t-il à Lyon ?", "time"),
    ("À quelle heure part le train ?", "time"),
    ("Où est rangé le contrat ?", "location"),
    ("Tu habites où ?", "location"),
    ("Dans quelle ville travaille ma sœur ?", "location"),
    ("Pourquoi a-t-on changé de banque ?", "reason"),
    ("Dans quel but garde-t-on les journaux ?", "purpose"),
    ("Qui a réparé le vélo ?", "person"),
    ("Avec qui suis-je allé au musée ?", "person"),
    ("Combien d'enfants a Claire ?", "number"),
    ("Qu'est-ce que j'ai offert à maman ?", "content"),
    ("Tu te souviens quand on a déménagé ?", "time"),
    # -- without spaces --
    ("我们什么时候去的京都？", "time"),
    ("鍵はどこですか", "location"),
    ("为什么换了数据库？", "reason"),
]

NEEDS_ASSISTANT = [
    "What did you suggest for my trip in May 2023?",
    "Which pasta recipe did you recommend?",
    "What was the third option you gave me?",
    "Remind me what you said about the visa",
    "your advice on sleep",
    "the books you listed",
    "What was your recommendation for the sofa?",
    "You told me a trick for the zipper, what was it?",
    "How had you explained the borrow checker?",
    "Which file did you change to fix the login?",
    "Did you find the memory leak?",
    "What did the assistant say about caffeine?",
    "According to you, how long does sourdough rise?",
    "what was the second tip",
    "the fifth suggestion for the garden",
    "Which city was the first place on the list?",
    "In our last conversation, what was the name of the castle?",
    "Can you remind me of the name of that museum?",
    "I enjoyed our earlier discussion on beekeeping and wondered if you could remind me which plant we settled on",
    "In our last chat about my trip to Oslo, what was the museum called?",
    "What did ChatGPT recommend against mould?",
    "I liked one of your suggestions, the one with lentils",
    "What have you already told me about pensions?",
    "Which stretches did you show me for my shoulder?",
    "could you tell me again which hotel you found in Split",
    "the poem you wrote for my dad's retirement",
    "what were the ingredients in your lasagna recipe",
    "Going back to our chat about jazz, who was the drummer?",
    "Who did you say I should call?",
    "I asked you to write a poem; what was it about?",
    "Was hast du mir für den Garten empfohlen?",
    "Welche Bücher hattest du vorgeschlagen?",
    "Was war deine Empfehlung für das Hotel?",
    "das Restaurant, das du genannt hast",
    "Qual livro você me recomendou?",
    "O que sugeriste para o jantar?",
    "a tua resposta sobre o IVA",
    "¿Qué me recomendaste para la espalda?",
    "¿Cuál fue tu consejo sobre el contrato?",
    "¿Qué has dicho de la hipoteca?",
    "Que m'as-tu conseillé pour dormir ?",
    "Quel vin avais-tu proposé, ou plutôt tu as recommandé ?",
    "ta réponse sur les impôts",
    "Quels exercices m'avais-tu proposés pour le dos ?",
    "the bug you pointed out in the scheduler",
    "Did you ever tell me how to descale the kettle?",
]

NEEDS_NO_ASSISTANT = [
    "Where do I live?",
    "What did I tell you about my sister?",
    "What did I say to you yesterday?",
    "I told you the code of the gate, what is it?",
    "What was in the list I gave you?",
    "What do you suggest for dinner?",
    "Can you recommend a good dentist?",
    "Could you explain closures?",
    "What do you know about my family?",
    "Do you remember my favourite colour?",
    "Did you know I play the oboe?",
    "Remind me what I decided about the loan",
    "Remind me when my passport expires",
    "I liked our last talk; can you tell me where my spare key is?",
    "In our previous conversation, which colour did I choose?",
    "What did Lena suggest to Tom?",
    "Who recommended the plumber?",
    "What advice did Rosa give me?",
    "What did my doctor recommend?",
    "In our last conversation, what did I say my budget was?",
    "What was the third book I bought?",
    "Which option did we choose?",
    "What is on my shopping list?",
    "the answer of the tax office",
    "What would you do?",
    "where did you and I leave off",
    "what's my plan for your birthday gift idea",
    "why did we drop redis",
    "what did we talk about yesterday",
    "when did I ask you about beekeeping",
    "What books have I mentioned to you?",
    "what's your name",
    "how do you say hello in Finnish",
    "did I thank you for the help?",
    "where did I put your gift",
    "Was habe ich dir über meine Arbeit erzählt?",
    "Was hat der Arzt empfohlen?",
    "Was empfiehlst du gegen Husten?",
    "O que eu te disse sobre a viagem?",
    "O que o médico me recomendou?",
    "¿Qué te dije de mi jefe?",
    "¿Qué recomendó el médico?",
    "Que t'ai-je dit sur mon frère ?",
    "Qu'est-ce que le médecin a conseillé ?",
]

TIMES = [
    ("What did you suggest for my trip in May 2023?", "at 2023-05-01 2023-05-31"),
    ("What happened on 7 May 2022?", "at 2022-05-07 2022-05-07"),
    ("What did I buy in 2021?", "at 2021-01-01 2021-12-31"),
    ("What did I do yesterday?", "at 2023-06-19 2023-06-19"),
    ("Who visited us last week?", "at 2023-06-12 2023-06-18"),
    ("When did Melanie go camping in June?", "at 2023-06-01 2023-06-30"),
    ("Which jobs did I have before 2020?", "before  2019-12-31"),
    ("What changed after March 2022?", "after 2022-04-01 "),
    ("What have I read since January 2023?", "since 2023-01-01 "),
    ("Which tasks are open until 30 June 2023?", "until  2023-06-30"),
    ("Where was I around 10 May 2023?", "around 2023-05-07 2023-05-13"),
    ("What did we ship between March and May 2023?", "between 2023-03-01 2023-05-31"),
    ("Was habe ich im Mai 2023 gekauft?", "at 2023-05-01 2023-05-31"),
    ("O que fiz no mês passado?", "at 2023-05-01 2023-05-31"),
    ("¿Qué hice en abril de 2022?", "at 2022-04-01 2022-04-30"),
    ("Qu'ai-je fait hier ?", "at 2023-06-19 2023-06-19"),
    # -- none: time is asked for, a name, a habit --
    ("When did I buy the car?", ""),
    ("What year did I buy the car?", ""),
    ("What do I do every Monday?", ""),
    ('Who lent me the book "June 2021"?', ""),
    ("queue size -2022", ""),
    ("may I ask who called", ""),
]

PLACES = [
    ("What did I eat in Berlin?", "Berlin"),
    ("Which meetings did we have at the office?", "office"),
    ("What broke in production?", "production"),
    ("When did Jon travel to New York?", "New York"),
    ("What did we see near Lake Como?", "Lake Como"),
    ("Who did I meet at my sister's house?", "sister's house"),
    ("What did we do in the Netherlands?", "the Netherlands"),
    ("What happened at work?", "work"),
    ("What grows in Melanie's garden?", "garden"),
    ("Wen habe ich in Hamburg getroffen?", "Hamburg"),
    ("Was steht in der Küche?", "Küche"),
    ("Quem conheci em Lisboa?", "Lisboa"),
    ("O que ficou no escritório?", "escritório"),
    ("¿Qué compré en Sevilla?", "Sevilla"),
    ("¿A quién vi en la oficina?", "oficina"),
    ("Qu'est-ce que j'ai mangé à Paris ?", "Paris"),
    ("Qui est venu à la maison ?", "maison"),
    # -- none --
    ("What did you suggest for my trip in May 2023?", ""),
    ("Who speaks in English?", ""),
    ("How do I write it in Python?", ""),
    ("Which bug is in pool.py?", ""),
    ("What did I give to Caroline?", ""),
    ("Where do I live?", ""),
    ("What did I do in the morning?", ""),
    ("Was passiert im Dezember?", ""),
    ("O que aconteceu em maio?", ""),
    ("J'ai parlé à Marie de quoi ?", ""),
]

KEYWORDS = [
    ("What did you suggest for my trip in May 2023?", ["trip"]),
    ("Why did getUserById fail with pool_timeout?", ["getUserById", "fail", "pool_timeout"]),
    ("When did Caroline's brother visit New York?", ["New York", "Caroline", "brother", "visit"]),
    ('Who sings "Nothing Else"?', ["Nothing Else", "sings"]),
    ("Do you remember what I said about the boiler?", ["boiler"]),
    ("Wann habe ich das Auto gekauft?", ["Auto", "gekauft"]),
    ("Was hast du mir für die Reise nach Rom empfohlen?", ["Reise", "Rom"]),
    ("Onde comprei o sofá azul?", ["comprei", "sofá", "azul"]),
    ("京都の旅館はどこですか", ["京都", "旅館"]),
]

TYPES = [
    ("What is my favourite tea?", {"profile"}),
    ("Is Lena allergic to nuts?", {"profile"}),
    ("Would Tom enjoy a museum?", {"profile"}),
    ("When did I move to Porto?", {"episodic"}),
    ("What are we going to do in July 2023?", {"episodic"}),
    ("What did Lena study?", {"episodic", "fact"}),
    ("Where do I work?", {"fact"}),
    ("Which database does the shop use?", {"fact"}),
    ("What do you think I usually did on holidays?", {"profile", "episodic", "fact"}),
    ("Was mag meine Frau?", {"profile"}),
    ("Wo wohnt Jonas?", {"fact"}),
    ("Do que é que o Rui gosta?", {"profile"}),
    ("¿Dónde trabaja Elena?", {"fact"}),
    ("Qu'est-ce que Luc déteste ?", {"profile"}),
    ("redis timeout", set()),
]


@pytest.mark.parametrize(("text", "dim"), DIMENSIONS)
def test_dimension_asked_for(text, dim):
    assert read(text).answer_dim == dim


@pytest.mark.parametrize("text", NEEDS_ASSISTANT)
def test_what_the_assistant_said_needs_its_reply(text):
    asked = read(text)
    assert asked.needs_assistant
    assert asked.assistant_reason


@pytest.mark.parametrize("text", NEEDS_NO_ASSISTANT)
def test_what_the_user_told_needs_no_reply(text):
    asked = read(text)
    assert not asked.needs_assistant, asked.assistant_reason
    assert not asked.assistant_reason


@pytest.mark.parametrize(("text", "expected"), TIMES)
def test_times_are_closed_intervals(text, expected):
    times = analyse(text, Filters(), ASKED).analysis.times
    assert "; ".join(f"{time.relation} {time.first} {time.last}" for time in times) == expected


@pytest.mark.parametrize(("text", "expected"), PLACES)
def test_places(text, expected):
    assert "; ".join(read(text, ASKED).locations) == expected


@pytest.mark.parametrize(("text", "expected"), KEYWORDS)
def test_keywords_are_what_no_other_field_has_used(text, expected):
    assert list(read(text, ASKED).keywords) == expected


@pytest.mark.parametrize(("text", "expected"), TYPES)
def test_types(text, expected):
    assert set(read(text, ASKED).types) == expected


def test_relative_times_stay_open_where_the_day_is_not_known():
    asked = read("What did I do last week and in May?")
    assert (asked.times, asked.open_times, asked.asked_at) == ((), ("last week", "May"), "")


def test_the_day_is_that_of_the_asker():
    evening = datetime(2023, 6, 20, 23, 30, tzinfo=timezone(timedelta(hours=-5)))
    asked = read("What did I do yesterday?", evening)
    assert (asked.asked_at, asked.times[0].first) == ("2023-06-20", "2023-06-19")


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("What did I say in May 2022?", "2022-05"),
        ("What did I say in May?", "--05"),
        ("What did I say last month?", "2023-05"),
        ("What did I say before May 2022?", "2022-05"),
        ("What did I say in 2022?", ""),
        ("What did I say?", ""),
    ],
)
def test_month_that_lifts(text, month):
    assert analyse(text, Filters(), ASKED).month == month


def test_a_statement_reads_as_a_record_does():
    assert read("Do you remember what I'm allergic to?").statement == "what the user am allergic to"
    assert read("What did you tell me about my visa?").statement == (
        "What did the assistant tell the user about the user's visa"
    )
    assert read("Wo wohne ich?").statement == "Wo wohne ich"


def test_stems_are_the_words_of_the_keywords():
    assert read("Which cities did the Smith Brothers visit?").stems == ("smith", "brother", "visit")


def test_another_analyser_fills_the_same_struct():
    query = analyse("when?", Filters(), ASKED, lambda text, asked_at: Analysis(statement=f"{text} {asked_at}"))
    assert query.analysis.statement == "when? 2023-06-20"
    assert query.words == ("when",)


@given(st.text(), st.sampled_from([None, ASKED]))
def test_any_text_has_an_analysis(text, asked_at):
    asked = read(text, asked_at)
    assert asked.needs_assistant == bool(asked.assistant_reason)
    for interval in asked.times:
        assert not interval.first or not interval.last or interval.first <= interval.last


def test_long_questions_take_linear_time():
    text = "what is the date of my and your list when I was in Rome for how long, " * 200
    read(text)
    start = time.perf_counter()
    read(text)
    assert time.perf_counter() - start < 1


def test_a_question_about_when_asks_for_a_time():
    path = DATA / "locomo" / "queries3.jsonl"
    if not path.exists():
        pytest.skip("the LoCoMo questions are not here")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    temporal = [read(row["question"]).answer_dim == "time" for row in rows if row["category_name"] == "temporal"]
    assert sum(temporal) > 0.9 * len(temporal)
    assert not [row["question"] for row in rows if read(row["question"]).needs_assistant]
