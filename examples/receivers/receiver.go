package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance = 300 * time.Second
	maxBytes = 2 << 20
)

var secret = []byte(os.Getenv("WEBHOOK_SECRET"))

// In production, store the ids in a table with a unique column, in the same transaction as the effects of the event.
var seen sync.Map

type event struct {
	ID   string          `json:"id"`
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

// isGenuine tells whether the body, byte for byte as received, has a valid signature that is not too old.
func isGenuine(header http.Header, body []byte) bool {
	timestamp := header.Get("X-Webhook-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(timestamp + "."))
	mac.Write(body)
	expected := []byte("v1=" + hex.EncodeToString(mac.Sum(nil)))
	// During a rotation the header has several signatures, separated by commas. One of them must match.
	for _, part := range strings.Split(header.Get("X-Webhook-Signature"), ",") {
		if hmac.Equal([]byte(strings.TrimSpace(part)), expected) {
			return true
		}
	}
	return false
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
	if err != nil || request.Method != http.MethodPost || !isGenuine(request.Header, body) {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	if _, known := seen.LoadOrStore(received.ID, true); !known {
		fmt.Println(received.Type, received.ID)
	}
	response.WriteHeader(http.StatusNoContent)
}

func main() {
	if len(secret) == 0 {
		log.Fatal("Set WEBHOOK_SECRET")
	}
	log.Fatal(http.ListenAndServe(":8080", http.HandlerFunc(receive)))
}
