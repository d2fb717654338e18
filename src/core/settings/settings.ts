/** Every setting: its name, what it means, how its text is read, and what it is when left out. */
import { isIP } from 'node:net'
import { parseNetwork } from '../network.ts'
import { type Policy, parseRateLimits } from './rate-limit-policy.ts'

interface Setting<T, D> {
  /** @throws Error that says what the text must be, and never what it is: it may be a secret */
  parse: (text: string) => T
  initial: D
  /** For `.env.example` and the README. */
  about: string
  shown: string
}

function setting<T, D>(parse: (text: string) => T, initial: D, shown: string, about: string): Setting<T, D> {
  return { parse, initial, shown, about }
}

const noPolicies: Policy[] = []

export const settings = {
  NODE_ENV: setting(
    oneOf('development', 'production', 'test'),
    'development',
    'development',
    '`production` switches the defaults that differ there',
  ),
  PORT: setting(integer(0, 65_535), 3000, '3000', 'Port to listen on; 0 takes a free one'),
  HOST: setting(host, null, 'localhost (production: 0.0.0.0)', 'Address to listen on'),
  METRICS_PORT: setting(
    integer(1, 65_535),
    null,
    'none: on PORT',
    'Port for `/metrics` alone, which PORT then does not have; on HOST as well',
  ),
  DATA_DIR: setting(
    text,
    './data',
    './data',
    'Folder of the embedded database, its tenants and the generated master key',
  ),
  DATABASE_URL: setting(
    databaseUrl,
    null,
    'the embedded database in DATA_DIR',
    '`postgres://…`, or `sqlite:<file>` for another file',
  ),
  MASTER_KEY: setting(
    text,
    null,
    'generated once into DATA_DIR/master.key',
    '32 bytes in base64: encrypts secrets at rest. Required in production with PostgreSQL',
  ),
  MASTER_KEYS_OPENING: setting(
    text,
    null,
    'none',
    'Further keys that open what is encrypted and never encrypt, comma-separated: the next or the former one while MASTER_KEY changes',
  ),
  BASE_URL: setting(
    url,
    null,
    'http://<HOST>:<PORT>',
    'Public address of the service; the issuer of its tokens',
  ),
  BASE_DOMAIN: setting(domain, null, 'none', 'Domain whose subdomains name tenants: `acme.<BASE_DOMAIN>`'),
  TRUST_PROXY: setting(
    trustProxy,
    false,
    'false',
    '`true`, or the addresses of proxies whose X-Forwarded-For is believed',
  ),
  CORS_ORIGINS: setting(
    list(isOrigin, 'origins such as https://app.example.com, or *'),
    [],
    'none',
    'Origins that browsers may call from, comma-separated; `*` for any',
  ),
  LOG_LEVEL: setting(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'info',
    'Least level that is logged',
  ),
  GRAPHQL_INTROSPECTION: setting(
    boolean,
    null,
    'true (production: false)',
    'Whether the GraphQL schema can be asked for',
  ),
  GRAPHQL_OPERATIONS: setting(
    text,
    null,
    'none',
    'File of GraphQL operations that clients ask for by hash: a JSON object, documents by their SHA-256',
  ),
  GRAPHQL_OPERATIONS_ONLY: setting(
    boolean,
    false,
    'false',
    '`true` refuses every operation that is not in GRAPHQL_OPERATIONS',
  ),
  GRAPHQL_MAX_COST: setting(
    integer(10, 1_000_000),
    1000,
    '1000',
    'What a GraphQL operation may cost at most: 10 for each field of its root, 1 for each object, condition and sort key, or for each 64 KiB that a full list would have',
  ),
  GRAPHQL_MAX_ROWS: setting(
    integer(1, 1_000_000),
    10_000,
    '10000',
    'Rows that a GraphQL operation may read at most',
  ),
  GRAPHQL_MAX_BYTES: setting(
    integer(64 * 1024, 256 * 1024 * 1024),
    16 * 1024 * 1024,
    '16777216',
    'Bytes that the reply to a GraphQL operation may have at most',
  ),
  WEBHOOK_ALLOWED_NETWORKS: setting(
    list(isNetwork, 'networks in CIDR form, such as 10.0.0.0/8'),
    [],
    'none',
    'Private networks (CIDR) that webhooks may reach, comma-separated; 127.0.0.0/8 for loopback, which they reach otherwise only in development with a HOST on loopback',
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    retrySchedule,
    [5, 15, 60, 300, 900],
    '5,15,60,300,900',
    'Seconds from each failed delivery of a webhook to the next try, comma-separated',
  ),
  WEBHOOK_TIMEOUT_MS: setting(
    integer(100, 300_000),
    30_000,
    '30000',
    'Time for one delivery of a webhook, from the look-up of its host to the end of the answer',
  ),
  WEBHOOK_RETENTION_DAYS: setting(
    integer(1, 3650),
    30,
    '30',
    'How long finished deliveries, their events and receipts are kept',
  ),
  WEBHOOK_BODY_LIMIT_BYTES: setting(
    integer(1024, 1_073_741_824),
    1_048_576,
    '1048576',
    'Largest body of an incoming webhook',
  ),
  STRICT_INPUT: setting(
    boolean,
    false,
    'false',
    '`true` refuses members, query parameters and names that are not known, as `Prefer: handling=strict` does',
  ),
  RATE_LIMITS: setting(
    parseRateLimits,
    noPolicies,
    'none',
    'Requests of a client in any so many seconds, comma-separated: `default=600/60`, `read=…`, `write=…`, a route (`POST /api/orders=10/1`) or a field of GraphQL (`mutation createOrder=10/1`)',
  ),
  COMPRESS_REPLIES: setting(
    boolean,
    true,
    'true',
    '`false` sends every reply as it is, for a proxy in front that compresses',
  ),
  BODY_LIMIT_BYTES: setting(integer(1024, 1_073_741_824), 1_048_576, '1048576', 'Largest request body'),
  REQUEST_TIMEOUT_MS: setting(
    integer(1000, 3_600_000),
    30_000,
    '30000',
    'Time for a client to send its whole request',
  ),
  MAX_CONNECTIONS: setting(
    integer(10, 1_000_000),
    10_000,
    '10000',
    'Most connections of clients, WebSockets among them; never more than half of the files that the process may open',
  ),
  DATABASE_CONNECTIONS: setting(integer(1, 1000), 10, '10', 'Most connections to each PostgreSQL database'),
  TENANT_DATABASE_CONNECTIONS: setting(
    integer(1, 10_000),
    20,
    '20',
    'Most connections to the PostgreSQL databases of tenants, all together',
  ),
  OPEN_TENANT_DATABASES: setting(
    integer(1, 100_000),
    200,
    '200',
    'Most tenant databases kept open when idle',
  ),
} as const

type Schema = typeof settings
export type Settings = {
  [K in keyof Schema]: Schema[K] extends Setting<infer T, infer D> ? Widen<T | D> : never
}
type Widen<T> = T extends never[] ? string[] : T

export function isSettingName(name: string): boolean {
  return Object.hasOwn(settings, name)
}

function text(value: string): string {
  return value
}

function integer(min: number, max: number): (value: string) => number {
  return (value) => {
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max}`)
    }
    return number
  }
}

/** The sixth attempt is the last. */
function retrySchedule(value: string): number[] {
  const seconds = value.split(',').map((item) => item.trim())
  if (seconds.length > 5) throw new Error('must be at most 5 waits')
  return seconds.map(integer(1, 86_400))
}

function boolean(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error('must be true or false')
  return value === 'true'
}

function oneOf<const T extends string>(...allowed: T[]): (value: string) => T {
  return (value) => {
    const found = allowed.find((candidate) => candidate === value)
    if (found === undefined) throw new Error(`must be one of ${allowed.join(', ')}`)
    return found
  }
}

function list(accepts: (item: string) => boolean, wanted: string): (value: string) => string[] {
  return (value) => {
    const items = value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '')
    const refused = items.filter((item) => !accepts(item))
    if (refused.length > 0) throw new Error(`must be ${wanted}; not ${refused.join(', ')}`)
    return items
  }
}

function host(value: string): string {
  if (!/^[\w.-]+$/.test(value) && isIP(value) === 0) throw new Error('must be a host name or an IP address')
  return value
}

function databaseUrl(value: string): string {
  const postgres = /^postgres(ql)?:\/\/./.test(value) && URL.canParse(value)
  if (!postgres && !/^sqlite:./.test(value)) throw new Error('must be postgres://… or sqlite:<file>')
  return value
}

function url(value: string): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be an http or https address')
  return value.replace(/\/+$/, '')
}

function domain(value: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(value)) throw new Error('must be a domain name, e.g. example.com')
  return value.toLowerCase()
}

function trustProxy(value: string): boolean | string[] {
  if (value === 'true' || value === 'false') return value === 'true'
  return list(isProxy, 'true, false, or IP addresses and networks')(value)
}

/** The names are those of the ranges that Fastify knows. */
function isProxy(item: string): boolean {
  return isIP(item) !== 0 || isNetwork(item) || /^(loopback|linklocal|uniquelocal)$/.test(item)
}

function isNetwork(item: string): boolean {
  return parseNetwork(item) !== null
}

/** As browsers write it in the header: scheme, host and port, in lower case, with nothing behind them. */
function isOrigin(item: string): boolean {
  return item === '*' || (/^https?:[^*]+$/.test(item) && URL.parse(item)?.origin === item)
}
