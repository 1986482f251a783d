#!/bin/sh
# Tests the service with curl and svc only. "npm test" runs it with a server of its own.
set -eu

node app.mjs > app-url.txt &
trap 'kill $!; rm -f app-url.txt' EXIT
until [ -s app-url.txt ]; do sleep 0.1; done
app=$(cat app-url.txt)

curl --silent --fail --data-urlencode email=ada@example.test "$app/sign-up"
echo

svc emails assert --to ada@example.test --subject 'Confirm your address' --has-link '*/confirm*' --no-placeholders
link=$(svc emails wait --to ada@example.test --extract link --link-matching confirm)
curl --silent --fail "$link" | grep 'ada@example.test is confirmed'

code=$(svc emails wait --to ada@example.test --extract code)
curl --silent --fail "$app/confirm?key=$code" | grep 'ada@example.test is confirmed'

svc emails wait --to bob@example.test --absent --timeout 500ms
echo 'The sign-up works.'
