// Golden_codec goes between the binary and the JSON form of messages, line by line, for the tests of
// clients/conformance: see clients/README.md.
package main

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	v1 "arena-bots/v1"
)

// answer returns a message in its other form.
func answer(line string) (string, error) {
	words := strings.SplitN(line, " ", 3)
	if len(words) != 3 {
		return "", fmt.Errorf("a line is `binary TYPE BASE64` or `json TYPE JSON`")
	}
	var message proto.Message
	switch words[1] {
	case "PlayRequest":
		message = &v1.PlayRequest{}
	case "PlayResponse":
		message = &v1.PlayResponse{}
	default:
		return "", fmt.Errorf("there is no message %s", words[1])
	}
	switch words[0] {
	case "binary":
		return toJSON(message, words[2])
	case "json":
		return toBinary(message, words[2])
	default:
		return "", fmt.Errorf("there is no form %s", words[0])
	}
}

func toJSON(message proto.Message, content string) (string, error) {
	binary, err := base64.StdEncoding.DecodeString(content)
	if err != nil {
		return "", err
	}
	if err := proto.Unmarshal(binary, message); err != nil {
		return "", err
	}
	text, err := protojson.Marshal(message)
	if err != nil {
		return "", err
	}
	var compact bytes.Buffer // protojson puts spaces in at random
	err = json.Compact(&compact, text)
	return compact.String(), err
}

func toBinary(message proto.Message, content string) (string, error) {
	if err := protojson.Unmarshal([]byte(content), message); err != nil {
		return "", err
	}
	binary, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	return base64.StdEncoding.EncodeToString(binary), err
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20) // longer than any message
	for lines.Scan() {
		text, err := answer(lines.Text())
		if err != nil {
			text = "error " + strings.ReplaceAll(err.Error(), "\n", " ")
		}
		fmt.Println(text)
	}
}
