#!/usr/bin/env bash
# kafka.sh [REGEX]: the tests that REGEX matches; without it, all of them.
#
# Starts a real Kafka broker (one node, KRaft) on loopback, lets the built program judge a checkpoint against it while topics there are
# recreated, lose records and grow, and stops it. Needs Go, Maven (it brings the broker's jars, from where it is set up to take them) and
# a Java runtime of 17 or later; where one of the two is missing, and apt-get may be used, it is installed. Jars stay in the user's cache
# folder.
set -euo pipefail
cd "$(dirname "$0")/.."

kafka_version=3.9.1
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark-ci
jars=$cache/kafka-$kafka_version

install() {
	local root=()
	[ "$(id -u)" = 0 ] || root=(sudo)
	"${root[@]}" apt-get install -y -q --no-install-recommends "$@" >/dev/null || {
		"${root[@]}" apt-get update -q >/dev/null
		"${root[@]}" apt-get install -y -q --no-install-recommends "$@" >/dev/null
	}
}
command -v java >/dev/null || install openjdk-17-jre-headless
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
keytool=${JAVA_HOME:+$JAVA_HOME/bin/}keytool

work=$(mktemp -d)
broker=
stop() {
	if [ -n "$broker" ]; then
		kill "$broker" 2>/dev/null || true
		for _ in $(seq 50); do
			kill -0 "$broker" 2>/dev/null || break
			sleep 0.2
		done
		kill -9 "$broker" 2>/dev/null || true
		wait "$broker" 2>/dev/null || true
	fi
	rm -rf "$work"
}
trap stop EXIT

if ! [ -e "$jars/complete" ]; then
	command -v mvn >/dev/null || install maven
	rm -rf "$jars"
	mkdir -p "$jars" "$work/jars"
	cat >"$work/jars/pom.xml" <<POM
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ci</groupId>
  <artifactId>broker</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>$kafka_version</version>
    </dependency>
  </dependencies>
</project>
POM
	mvn -q -B -f "$work/jars/pom.xml" dependency:copy-dependencies -DincludeScope=runtime "-DoutputDirectory=$jars"
	touch "$jars/complete"
fi

# Three ports that are free at once.
read -r plain secure controller < <(python3 - <<'PORTS'
import socket
taken = [socket.socket() for _ in range(3)]
for s in taken:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in taken))
PORTS
)

# A certificate for the broker, and the store of those whom its clients trust, both made by Java.
password=changeit
"$keytool" -genkeypair -alias broker -keyalg EC -dname CN=broker -ext san=ip:127.0.0.1 -validity 2 \
	-keystore "$work/broker.p12" -storetype PKCS12 -storepass $password 2>/dev/null
"$keytool" -exportcert -rfc -alias broker -keystore "$work/broker.p12" -storepass $password -file "$work/broker.pem" 2>/dev/null
"$keytool" -importcert -noprompt -alias broker -file "$work/broker.pem" -keystore "$work/trusted.p12" -storetype PKCS12 -storepass $password 2>/dev/null

plain_login=org.apache.kafka.common.security.plain.PlainLoginModule
scram_login=org.apache.kafka.common.security.scram.ScramLoginModule
oauth_login=org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule
cat >"$work/server.properties" <<CONF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:$controller
listeners=PLAINTEXT://127.0.0.1:$plain,SASL_SSL://127.0.0.1:$secure,CONTROLLER://127.0.0.1:$controller
advertised.listeners=PLAINTEXT://127.0.0.1:$plain,SASL_SSL://127.0.0.1:$secure
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT
log.dirs=$work/logs
num.network.threads=2
num.io.threads=2
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
auto.create.topics.enable=true
controlled.shutdown.enable=false
ssl.keystore.location=$work/broker.p12
ssl.keystore.password=$password
listener.name.sasl_ssl.sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512,OAUTHBEARER
listener.name.sasl_ssl.plain.sasl.jaas.config=$plain_login required user_root="root-secret" user_reader="reader-secret" user_half="half-secret" user_nobody="nobody-secret";
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=$scram_login required;
listener.name.sasl_ssl.oauthbearer.sasl.jaas.config=$oauth_login required unsecuredLoginStringClaim_sub="unused";
authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users=User:ANONYMOUS;User:root
CONF
"$java" -cp "$jars/*" kafka.tools.StorageTool format -t AAAAAAAAAAAAAAAAAAAAAQ -c "$work/server.properties" \
	--add-scram 'SCRAM-SHA-512=[name=root,password=root-secret]' >"$work/format.log" 2>&1 || { cat "$work/format.log" >&2; exit 1; }
"$java" -Xmx512m -cp "$jars/*" kafka.Kafka "$work/server.properties" >"$work/broker.log" 2>&1 &
broker=$!

# Until the broker takes connections, but two minutes at most, and no longer than it lives. The test waits until it answers.
for i in $(seq 600); do
	if (exec 3<>"/dev/tcp/127.0.0.1/$secure") 2>/dev/null && (exec 3<>"/dev/tcp/127.0.0.1/$plain") 2>/dev/null; then break; fi
	if ! kill -0 "$broker" 2>/dev/null || [ "$i" = 600 ]; then
		echo "the broker does not take connections:" >&2
		tail -30 "$work/broker.log" >&2
		exit 1
	fi
	sleep 0.2
done

CGO_ENABLED=0 go build -o "$work/tidemark" .
export TIDEMARK_TEST_PROGRAM=$work/tidemark
export TIDEMARK_TEST_KAFKA=127.0.0.1:$plain TIDEMARK_TEST_KAFKA_SECURE=127.0.0.1:$secure
export TIDEMARK_TEST_KAFKA_TRUSTED=$work/trusted.p12 TIDEMARK_TEST_KAFKA_TRUSTED_PEM=$work/broker.pem TIDEMARK_TEST_KAFKA_PASSWORD=$password
go test -count=1 -timeout 200s -tags servers -run "${1:-^TestRealKafka}" ./internal/e2e || { tail -30 "$work/broker.log" >&2; exit 1; }
