"""What sigstore runs for those who sign, on loopback: an authority, its log and one of signatures.

It gives a certificate to any token, as a forge's would be given; RFC 6962 says what a log signs.
"""

import base64
import datetime as dt
import hashlib
import http.server
import json
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509.oid import ExtendedKeyUsageOID
from sigstore.models import ClientTrustConfig

ISSUER = "https://token.actions.githubusercontent.com"
_FULCIO = "1.3.6.1.4.1.57264.1"
_TIMESTAMPS = x509.ObjectIdentifier("1.3.6.1.4.1.11129.2.4.2")
_NAME = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "local")])


def _base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _der(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _id(key: ec.EllipticCurvePrivateKey) -> bytes:
    return hashlib.sha256(_der(key)).digest()


def _sign(key: ec.EllipticCurvePrivateKey, content: bytes) -> bytes:
    return key.sign(content, ec.ECDSA(SHA256()))


class Sigstore:
    """Its keys and what it answers."""

    def __init__(self, repository: str, workflow: str) -> None:
        """``workflow`` is the one whose jobs ask for tokens, as a path with its branch."""
        self.repository, self.workflow = repository, workflow
        self.address = ""
        self.refuses: set[str] = set()
        """Paths at which it answers with 503."""
        self._ca, self._certificates, self._entries = (
            ec.generate_private_key(ec.SECP256R1()) for _ in range(3)
        )
        self._began = dt.datetime.now(dt.UTC).replace(microsecond=0) - dt.timedelta(minutes=1)
        usage = dict.fromkeys(
            ("content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
             "crl_sign", "encipher_only", "decipher_only"), False,
        )  # fmt: skip
        self._leaf_usage = x509.KeyUsage(digital_signature=True, key_cert_sign=False, **usage)
        self._root = (
            self._builder(self._ca.public_key())
            .subject_name(_NAME)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(
                x509.KeyUsage(digital_signature=False, key_cert_sign=True, **usage), critical=True
            )
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(self._ca.public_key()), critical=False
            )
            .sign(self._ca, SHA256())
        )

    def _builder(self, key: Any) -> x509.CertificateBuilder:
        return (
            x509.CertificateBuilder()
            .issuer_name(_NAME)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(self._began)
            .not_valid_after(self._began + dt.timedelta(hours=1))
        )

    def trust(self) -> str:
        """Return the trusted root as sigstore publishes it, in JSON."""

        def log(key: ec.EllipticCurvePrivateKey) -> dict[str, Any]:
            public = {"rawBytes": _base64(_der(key)), "keyDetails": "PKIX_ECDSA_P256_SHA_256",
                      "validFor": self._valid}  # fmt: skip
            return {"baseUrl": self.address, "hashAlgorithm": "SHA2_256", "publicKey": public,
                    "logId": {"keyId": _base64(_id(key))}}  # fmt: skip

        chain = {"certificates": [{"rawBytes": _base64(self._root.public_bytes(Encoding.DER))}]}
        authority = {"uri": self.address, "certChain": chain, "validFor": self._valid,
                     "subject": {"organization": "local", "commonName": "local"}}  # fmt: skip
        return json.dumps({
            "mediaType": "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
            "tlogs": [log(self._entries)], "certificateAuthorities": [authority],
            "ctlogs": [log(self._certificates)], "timestampAuthorities": [],
        })  # fmt: skip

    @property
    def _valid(self) -> dict[str, str]:
        return {"start": f"{self._began:%Y-%m-%dT%H:%M:%SZ}"}

    def config(self) -> ClientTrustConfig:
        """Return what those who sign get from sigstore's repository of settings."""
        service = {"url": self.address, "majorApiVersion": 1, "validFor": self._valid,
                   "operator": "local"}  # fmt: skip
        signing = {
            "mediaType": "application/vnd.dev.sigstore.signingconfig.v0.2+json",
            "caUrls": [service], "oidcUrls": [], "rekorTlogUrls": [service], "tsaUrls": [],
            "rekorTlogConfig": {"selector": "ANY"}, "tsaConfig": {"selector": "ANY"},
        }  # fmt: skip
        return ClientTrustConfig.from_json(json.dumps({
            "mediaType": "application/vnd.dev.sigstore.clienttrustconfig.v0.1+json",
            "trustedRoot": json.loads(self.trust()), "signingConfig": signing,
        }))  # fmt: skip

    def token(self) -> str:
        """Return what a forge gives a job with ``id-token: write``."""
        now = int(dt.datetime.now(dt.UTC).timestamp())
        claims = {
            "iss": ISSUER, "aud": "sigstore", "sub": f"repo:{self.repository}:environment:publish",
            "iat": now, "exp": now + 300, "repository": self.repository,
            "job_workflow_ref": f"{self.repository}/{self.workflow}",
        }  # fmt: skip
        return jwt.encode(claims, "the key of the forge, which nobody reads here", "HS256")

    def certify(self, request: dict[str, Any], token: str) -> dict[str, Any]:
        """Answer as Fulcio: a certificate for the key of a request and the names in its token."""
        claims = jwt.decode(token, options={"verify_signature": False})
        pem = base64.b64decode(request["certificateSigningRequest"])
        key = x509.load_pem_x509_csr(pem).public_key()
        name = x509.UniformResourceIdentifier(f"https://github.com/{claims['job_workflow_ref']}")
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._ca.public_key())
        code_signing = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.CODE_SIGNING])
        builder = (
            self._builder(key)
            .subject_name(x509.Name([]))
            .add_extension(self._leaf_usage, critical=True)
            .add_extension(code_signing, critical=False)
            .add_extension(authority, critical=False)
            .add_extension(x509.SubjectAlternativeName([name]), critical=True)
        )
        for number, text in ((1, claims["iss"]), (5, claims["repository"])):
            place = x509.ObjectIdentifier(f"{_FULCIO}.{number}")
            builder = builder.add_extension(
                x509.UnrecognizedExtension(place, text.encode()), critical=False
            )
        # The log of certificates signs what is there without its own signature.
        body = builder.sign(self._ca, SHA256()).tbs_certificate_bytes
        moment = struct.pack("!Q", 1000 * int(self._began.timestamp()))
        signed = _sign(
            self._certificates,
            b"\0\0" + moment + struct.pack("!H", 1) + _id(self._ca)
            + struct.pack("!I", len(body))[1:] + body + b"\0\0",
        )  # fmt: skip
        stamp = b"\0" + _id(self._certificates) + moment + b"\0\0\4\3"
        stamp += struct.pack("!H", len(signed)) + signed
        stamps = struct.pack("!HH", len(stamp) + 2, len(stamp)) + stamp
        assert len(stamps) < 256
        octets = b"\x04" + (b"\x81" if len(stamps) > 127 else b"") + bytes([len(stamps)]) + stamps
        leaf = builder.add_extension(
            x509.UnrecognizedExtension(_TIMESTAMPS, octets), critical=False
        ).sign(self._ca, SHA256())
        chain = [one.public_bytes(Encoding.PEM).decode() for one in (leaf, self._root)]
        return {"signedCertificateEmbeddedSct": {"chain": {"certificates": chain}}}

    def enter(self, request: dict[str, Any]) -> dict[str, Any]:
        """Answer as Rekor: the only entry of a log, with proofs that it is there."""
        proposed = request["spec"]["proposedContent"]
        envelope = json.loads(proposed["envelope"])
        payload = base64.b64decode(envelope["payload"])
        signatures = [
            {"signature": one["sig"], "verifier": verifier}
            for one, verifier in zip(envelope["signatures"], proposed["verifiers"], strict=True)
        ]
        body = _canonical({
            "apiVersion": "0.0.1", "kind": "dsse", "spec": {
                "envelopeHash": _digest(proposed["envelope"].encode()),
                "payloadHash": _digest(payload), "signatures": signatures,
            },
        })  # fmt: skip
        entry = {
            "body": _base64(body), "integratedTime": int(dt.datetime.now(dt.UTC).timestamp()),
            "logID": _id(self._entries).hex(), "logIndex": 0,
        }  # fmt: skip
        promise = _base64(_sign(self._entries, _canonical(entry)))
        root = hashlib.sha256(b"\0" + body).digest()  # of one leaf
        note = f"local - 1\n1\n{_base64(root)}\n"
        mark = _base64(_id(self._entries)[:4] + _sign(self._entries, note.encode()))
        proof = {"checkpoint": f"{note}\n\u2014 local {mark}\n", "hashes": [], "logIndex": 0,
                 "rootHash": root.hex(), "treeSize": 1}  # fmt: skip
        verification = {"inclusionProof": proof, "signedEntryTimestamp": promise}
        return {"0" * 64: {**entry, "verification": verification}}


def _canonical(data: Any) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def _digest(content: bytes) -> dict[str, str]:
    return {"algorithm": "sha256", "value": hashlib.sha256(content).hexdigest()}


@contextmanager
def serve(sigstore: Sigstore) -> Iterator[None]:
    """Serve it, and the forge's tokens at ``/token``."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(200, {"value": sigstore.token()})

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path in sigstore.refuses:
                self._answer(503, {"code": 503, "message": "is down"})
            elif self.path == "/api/v2/signingCert":
                token = self.headers["Authorization"].removeprefix("Bearer ")
                self._answer(200, sigstore.certify(request, token))
            else:
                assert self.path == "/api/v1/log/entries"
                self._answer(201, sigstore.enter(request))

        def _answer(self, status: int, data: Any) -> None:
            content = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        sigstore.address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield
        server.shutdown()
