using System.Collections.Concurrent;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

const int toleranceSeconds = 300;
var secret = Encoding.UTF8.GetBytes(
    Environment.GetEnvironmentVariable("WEBHOOK_SECRET") ?? throw new InvalidOperationException("Set WEBHOOK_SECRET"));

// In production, store the ids in a table with a unique column, in the same transaction as the effects of the event.
var seen = new ConcurrentDictionary<string, bool>();

var app = WebApplication.CreateBuilder(args).Build();

app.MapPost("/", async (HttpRequest request) =>
{
    using var buffer = new MemoryStream();
    await request.Body.CopyToAsync(buffer);
    var body = buffer.ToArray();
    if (!IsGenuine(request.Headers, body)) return Results.BadRequest();
    using var received = JsonDocument.Parse(body);
    var id = received.RootElement.GetProperty("id").GetString()!;
    if (seen.TryAdd(id, true)) Console.WriteLine($"{received.RootElement.GetProperty("type")} {id}");
    return Results.NoContent();
});

app.Run("http://localhost:8080");

// Tells whether the body, byte for byte as received, has a valid signature that is not too old.
bool IsGenuine(IHeaderDictionary headers, byte[] body)
{
    var timestamp = headers["X-Webhook-Timestamp"].ToString();
    if (!long.TryParse(timestamp, NumberStyles.None, CultureInfo.InvariantCulture, out var seconds)) return false;
    var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    if (seconds < now - toleranceSeconds || seconds > now + toleranceSeconds) return false;
    byte[] signed = [.. Encoding.UTF8.GetBytes($"{timestamp}."), .. body];
    var digest = Convert.ToHexString(HMACSHA256.HashData(secret, signed)).ToLowerInvariant();
    var expected = Encoding.UTF8.GetBytes($"v1={digest}");
    // During a rotation the header has several signatures, separated by commas. One of them must match.
    return headers["X-Webhook-Signature"].ToString().Split(',')
        .Any(part => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(part.Trim()), expected));
}
