"""Import before NumPy: keeps linear algebra on one thread, so that timings can be compared."""

import os

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[_name] = "1"
