course serve --port 0 --port-file port >/dev/null &
server=$!
until [ -s port ]; do sleep 0.1; done
node --test
status=$?
kill $server
exit $status
