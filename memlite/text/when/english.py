"""The words of time in English; `lexicon` says how to read the lines."""

EN = """
M 1 january ?jan
M 2 february feb
M 3 ?march ?mar
M 4 ?april apr
M 5 ?may
M 6 ?june ?jun
M 7 july jul
M 8 ?august aug
M 9 september sept sep
M 10 october oct
M 11 november nov
M 12 december ?dec
W 0 monday ?mon monday's
W 1 tuesday tue tues tuesday's
W 2 wednesday ?wed wednesday's
W 3 thursday thu thur thurs thursday's
W 4 friday fri friday's
W 5 saturday ?sat saturday's
W 6 sunday ?sun sunday's
G 0 mondays
G 1 tuesdays
G 2 wednesdays
G 3 thursdays
G 4 fridays
G 5 saturdays
G 6 sundays
U day day days
U week week weeks wk wks week's
U weekend weekend weekends weekend's
U month month months month's
U quarter quarter quarters
U year year years yr yrs year's
U decade decade decades
S spring ?spring springtime
S summer summer summertime summers
S autumn autumn ?fall
S winter winter wintertime winters
R -2 day_before_yesterday
R -1 yesterday yesterday's
R 0 today tonight today's tonight's
R 1 tomorrow tomorrow's tmrw tmr
R 2 day_after_tomorrow
P morning morning afternoon evening night noon lunchtime midnight nite
H 12-25 christmas christmas_day xmas
H 12-24 christmas_eve
H 12-31 new_year's_eve nye
H 01-01 new_year's_day new_year's new_year
H 10-31 halloween
H 02-14 valentine's_day valentine's
H 07-04 fourth_of_july
L - last previous past
X - next coming upcoming
T - this current
A - ago back
n - from_now
a 1 a an one
N 2 two
N 3 three
N 4 four
N 5 five
N 6 six
N 7 seven
N 8 eight
N 9 nine
N 10 ten
N 11 eleven
N 12 twelve
N 15 fifteen
N 20 twenty
N 30 thirty
F 2 couple couple_of a_couple a_couple_of
F 3 few several a_few some
O 1 ?first
O 2 ?second
O 3 ?third
O 4 ?fourth
E early early beginning start beginning_of_the start_of_the
E mid mid middle
E late late end
o - of
t - the
i in in
i on on
i at at during over for due throughout
r since since ever_since
r from starting as_of
r until until till til up_to not_until
r by by no_later_than
r from from
r around around circa roughly approximately
q before before prior_to
q after after
B - between
& - and or
- - to through thru
e - every each most any
"""
