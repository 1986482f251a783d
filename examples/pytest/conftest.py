import json
import os
import urllib.request

import pytest


@pytest.fixture
def wait_for_email():
    def wait(query, **options):
        request = urllib.request.Request(
            os.environ["SVC_BASE_URL"].replace("/v1", "/_svc/emails/wait"),
            json.dumps({"query": query, "since": os.environ["SVC_SINCE"], **options}).encode(),
            {"Authorization": "Bearer " + os.environ["SVC_API_KEY"], "Content-Type": "application/json"},
        )
        found = json.load(urllib.request.urlopen(request))["data"]
        assert found["matched"], json.dumps(found["near_misses"], indent=2)
        return found["emails"][0]

    return wait
