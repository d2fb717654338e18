<?php

declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** Tells whether the body, byte for byte as received, has a valid signature that is not too old. */
function isGenuine(string $secret, string $timestamp, string $signatures, string $body): bool
{
    if (preg_match('/^[0-9]{1,12}$/D', $timestamp) !== 1) {
        return false;
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret);
    // During a rotation the header has several signatures, separated by commas. One of them must match.
    foreach (explode(',', $signatures) as $part) {
        if (hash_equals($expected, trim($part))) {
            return true;
        }
    }
    return false;
}

$secret = (string) getenv('WEBHOOK_SECRET');
$timestamp = $_SERVER['HTTP_X_WEBHOOK_TIMESTAMP'] ?? '';
$signatures = $_SERVER['HTTP_X_WEBHOOK_SIGNATURE'] ?? '';
$body = (string) file_get_contents('php://input');

if ($secret === '' || !isGenuine($secret, $timestamp, $signatures, $body)) {
    http_response_code(400);
    exit;
}

$event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);

// In production, store the ids in a table with a unique column, in the same transaction as the effects of the event,
// and do nothing if the table already has the id.
error_log($event['type'] . ' ' . $event['id']);
http_response_code(204);
