"""Numbers: their domains and their words, the root kernel, Gaussian noise, logarithms."""

from rates.numbers import gaussian
from rates.numbers.roots import bracketed, crossing, least, rising
from rates.numbers.files import (
    Fields, MAX_BYTES, VERSION, decode, exact_float, load_json, pack, packed, plain, to_text,
    unpack,
)
from rates.numbers.gaussian import (
    ACC_PRINTED, CCV_PRINTED, MECHANISMS, Mechanism, analytic_multiplier, budget_elasticity,
    check_mechanism, delta_of, epsilon_of, printed_multiplier,
)
from rates.numbers.implicit import (
    STEEPEST, Terms, at_root, log0, log_sum, make_terms, safe_exp, solve_log,
)
from rates.numbers.notebook import Brief, Framed, Shown, frame, to_frame
from rates.numbers.parameters import (
    COUNT, DELTA, DIMENSION, DomainError, EPSILON, FEDERATED_FIELDS, INTEGRABILITY, KAPPA,
    MARGIN, MAX_COUNT, MAX_N, MAX_NAME, MAX_ROWS, Parameter, SAMPLE_SIZE, SERVER_FIELDS,
    SIGNAL_EXPONENT, SMOOTHNESS_CLASSIFICATION, SMOOTHNESS_REGRESSION, TRANSFER_FIELDS, Words,
    as_number, check_array, check_fields, decades, shown, steps,
)
from rates.numbers.text import between, listed, number, number_text, percent, signed_percent, span
from rates.numbers.typed import (
    Exact, Shape, as_read, grouped, number_from_text, numbers_from_text, shape, shape_of,
)
