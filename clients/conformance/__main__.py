"""`python -m clients.conformance`."""

import os
import sys

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # handshakes that are meant to fail are no news

from clients.conformance.command import main  # which loads gRPC, which reads it

if __name__ == "__main__":
    sys.exit(main())
