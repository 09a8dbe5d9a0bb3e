"""Words of tables in English, German, French and Spanish, as a spreadsheet has them."""

from __future__ import annotations

import re
import unicodedata

UNPROTECTED = "unprotected"  # a column of ticks, as the app's own table has
FIELDS = ("name", "role", "n", "epsilon", "delta", "signal_exponent", "count", UNPROTECTED)
TITLES = {  # what the app calls a column
    "name": "Site",
    "role": "Target",
    "n": "Records n",
    "epsilon": "Budget ε",
    "delta": "δ",
    "signal_exponent": "Signal γ",
    "count": "Count",
    UNPROTECTED: "Unprotected",
}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# One word of a title, and the columns that it can belong to.
_NAME = """name names site hospital clinic center centre institution institute server location
registry register cohort partner node organisation organization facility provider ward practice
krankenhaus klinik klinikum zentrum einrichtung haus spital standort ort stelle praxis bezeichnung
standorte kliniken nom hopital hopitaux clinique etablissement lieu registre sitio clinica centro
centros sede institucion lugar hospitales hospitals sites clinics centers centres institutions
hospitalname krankenhausname klinikname standortname einrichtungsname
servers registries cohorts partners nodes krankenhauser zentren hauser kohorte cohorte"""
_N = """n nj records record patients patient subjects cases case participants persons people
observations rows samples sample size volunteers individuals entries patienten patientinnen
datensatze fallzahl falle stichprobe stichprobengrosse umfang stichprobenumfang teilnehmer
probanden personen eintrage patientenzahl effectif effectifs enregistrements cas taille echantillon
sujets dossiers personnes observations pacientes registros casos tamano muestra participantes
sujetos personas observaciones teilnehmende patientenanzahl studienteilnehmer enregistrement
dossier individus individuos muestras echantillons readings reading measurements measurement
messungen messung messwerte mesures releves mediciones lecturas users nutzer utilisateurs
usuarios"""
_EPSILON = """epsilon epsilons eps ε εj ϵ budget budgets privacy privatheitsbudget datenschutzbudget
schutzbudget privacybudget datenschutz privatheit confidentialite presupuesto privacidad
vertraulichkeit budgets"""
_SIGNAL = """gamma γ γj signal signalexponent signalstarke exposant exponente exponent senal"""
_ROLE = """role target rolle ziel zielort zielstandort zielklinik cible rol objetivo destino"""
_COUNT = """count multiplicity copies vielfachheit multiplicite multiplicidad"""
_TICK = """unprotected ungeschutzt unprotegido"""
_WEAK = _words("ort lieu lugar location ward facility provider sede stelle")
_NUMBERS = "number anz nb nbre num anzahl zahl nombre numero cantidad"  # of records, or of sites
_SEVERAL = """hospitals krankenhauser hopitaux hospitales clinics kliniken cliniques clinicas sites
standorte sitios sedes centers centres zentren centros servers practices praxen hauser"""
_DEVICES = """phones smartphones telefone handys telephones telefonos moviles celulares devices
gerate appareils dispositivos tablets sensors watches"""


def _spread() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    lists = (
        *(("name", _NAME), ("n", _N), ("epsilon", _EPSILON), ("delta", "delta δ δj deltas")),
        *(("signal_exponent", _SIGNAL), ("role", _ROLE), ("count", _COUNT)),
        *((UNPROTECTED, _TICK), ("n", _NUMBERS), ("count", _NUMBERS), ("n", "count")),
        *(("count", _SEVERAL), ("name", "nombre"), ("name", "sitios")),
        ("count", _DEVICES),
    )
    for field, words in lists:
        for word in words.split():
            found.setdefault(word, set()).add(field)
    return {word: frozenset(fields) for word, fields in found.items()}


_WORDS = _spread()
_ALONE = {  # titles of these words alone
    **dict.fromkeys(_SEVERAL.split(), "name"),
    "signal exponent": "signal_exponent",
    "sample size": "n",
    **dict.fromkeys(("non protege", "sin proteccion", "public", "offentlich"), UNPROTECTED),
    "publico": UNPROTECTED,
}
_SMALL = _words("""of the no nr j per a an der die das den dem des de du la le les l d del el los
las au aux y und and et o in im am for fur pour para je each our is ist est es relative relativer
identical identische identiques study total local lokale dp differential loss parameter wert value
valeur valor gesamt how many von s included enrolled eligible available
eingeschlossene eingeschlossen inclus incluidos incluidas""")
_PER = re.compile(r"\b(?:per|pro|par|por|je|at|bei)\b")
_SCALED = re.compile(
    r"\b(?:thousands?|tsd|tausend|milliers?|miles|mio|mill(?:ion(?:s|en|es)?)?|k|000|1000|"
    r"log|ln|log10|per ?cent|prozent)\b|%|‰|[×x*]\s*10|\b10\s*\^|10[⁻⁺⁰-⁹]",
)
_MONEY = re.compile(r"[€$£¥]|\b(?:eur|euros?|usd|dollars?|chf|gbp|cost|kosten|price|preis)\b")

NO_BUDGET = _words("""inf ∞ infinity infinite none unprotected public unlimited open
unendlich keine keines keins kein ohne offentlich ungeschutzt unbegrenzt offen infini aucun aucune
sans publique illimite illimitee ouvert infinito ninguno ninguna sin publico publica ilimitado
abierto""") | {
    *("no protection", "not protected", "no budget", "no privacy", "no limit", "kein schutz"),
    *("kein budget", "ohne schutz", "ohne budget", "non protege", "non protegee", "sans budget"),
    *("sans protection", "aucun budget", "sin proteccion", "no protegido", "no protegida"),
    *("sin presupuesto", "sin limite", "nicht geschutzt", "public data", "sans limite"),
}
NOTHING = _words("none keine keiner kein aucun aucune ninguno ninguna")
_BLANK = re.compile(r"[-‐-―−﹣－_ ]+|n/?a", re.IGNORECASE)
YES = _words("x ✓ ✔ ☑ yes y ja j oui si 1 true wahr vrai verdadero")
NO = _words("no n nein non 0 false falsch faux falso - – — ☐ ✗ ✘") | {""}
OTHERS = _words("""year jahr annee ano age alter edad id code codigo zip plz postcode date datum
fecha""")  # titles of numbers that are neither records nor budgets
TARGETS = _words("target ziel zielort zielstandort zielklinik cible objetivo destino")
SOURCES = _words("source sources quelle fuente origen helper")
TOTALS = _words("""total totals totale totales sum sums overall together pooled gesamt summe
insgesamt zusammen alle somme ensemble suma conjunto todos todas tous toutes σ ∑""")
AVERAGES = _words("""mean average median mittelwert mittel durchschnitt moyenne mediane media
promedio mediana""")


def plain(text: str) -> str:
    """Return a text in small letters, without accents and with one space between words.

    >>> plain("  Hôpital  Größe ")
    'hopital grosse'
    """
    folded = " ".join(text.split()).casefold().replace("ϵ", "ε")
    if folded.isascii():
        return folded
    parts = unicodedata.normalize("NFKD", folded)
    return "".join(c for c in parts if not unicodedata.combining(c)).replace("ϵ", "ε")


def fields_of(title: str) -> frozenset[str]:
    """Return the columns that a title can mean; none if it is not known.

    >>> sorted(fields_of("Anzahl Patienten")), sorted(fields_of("nombre")), fields_of("city")
    (['n'], ['count', 'n', 'name'], frozenset())
    """
    word = plain(title)
    if word in FIELDS:
        return frozenset({word})
    if _MONEY.search(word):
        return frozenset()
    word = re.sub(r"[_\W]+", " ", _SCALED.sub(" ", word) if scaled(title) else word).strip()
    # "Patients per site" is about patients.
    first = _PER.split(word)[0].strip() or word
    for phrase in (word, first):
        if phrase in _ALONE:
            return frozenset({_ALONE[phrase]})
    tokens = [token for token in first.split() if token not in _SMALL and not token.isdecimal()]
    found: frozenset[str] | None = None
    for token in tokens:
        known = _WORDS.get(token, frozenset())
        found = known if found is None else found & known
    return found or frozenset()


def weak(title: str) -> bool:
    """Whether a title can be that of a column, but another one's is rather."""
    return plain(title) in _WEAK


def several(title: str) -> bool:
    """Whether a title alone is that of several devices or places.

    >>> several("Phones"), several("Anzahl Kliniken"), several("Patients per hospital")
    (True, False, False)
    """
    return plain(title) in f"{_SEVERAL} {_DEVICES}".split()


def of_number(title: str) -> bool:
    """Whether a title is that of a number that may be one of records or of sites.

    >>> of_number("Count"), of_number("Number of sites")
    (True, False)
    """
    return {"n", "count"} <= _WORDS.get(plain(title), frozenset())


def of_other(title: str) -> bool:
    """Whether a title is that of numbers which are neither records nor budgets."""
    return bool(set(re.findall(r"\w+", plain(title))) & OTHERS or _MONEY.search(plain(title)))


def blank(cell: str) -> bool:
    """Whether a cell holds a dash or n/a alone, which can mean nothing or no budget.

    >>> blank("-"), blank("—"), blank("N/A"), blank("none"), blank("")
    (True, True, True, False, False)
    """
    return bool(_BLANK.fullmatch(cell.strip()))


def unprotected(cell: str) -> bool:
    """Whether a cell says in words that a site has no budget.

    >>> unprotected("None"), unprotected("∞"), unprotected("-"), unprotected("3")
    (True, True, False, False)
    """
    return plain(cell) in NO_BUDGET


def scaled(title: str) -> bool:
    """Whether a title says that its numbers stand for others: in thousands, in per cent.

    >>> scaled("Patients (thousands)"), scaled("Patients (n)")
    (True, False)
    """
    return bool(_SCALED.search(title.casefold()))


def of_total(name: str) -> bool:
    """Whether a row of this name is a sum of others.

    >>> of_total("Total:"), of_total("Alle Häuser"), of_total("Total Care Clinic")
    (True, True, False)
    """
    word = re.sub(r"[^\wσ∑ ]+", " ", plain(name)).split()
    return (
        bool(word)
        and word[0] in TOTALS | {"grand", "all"}
        and all(
            w in TOTALS or w in _WORDS or w in _SMALL or w in ("grand", "general", "all")
            for w in word
        )
    )


def of_average(name: str) -> bool:
    """Whether a row of this name is an average of others.

    >>> of_average("Mittelwert"), of_average("Median Clinic")
    (True, False)
    """
    return plain(name).rstrip(":. ") in AVERAGES
