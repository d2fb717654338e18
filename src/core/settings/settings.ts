/** Every setting: its name, its meaning, how its text is read, and its default. */
import { fileSettings } from './file-settings.ts'
import { mailSettings } from './mail-settings.ts'
import {
  baseUrl,
  boolean,
  databaseUrl,
  domain,
  host,
  integer,
  isNetwork,
  isOrigin,
  list,
  oneOf,
  postgresUrl,
  retrySchedule,
  type Setting,
  setting,
  setupToken,
  text,
  trustProxy,
  url,
} from './parse.ts'
import { passkeySettings } from './passkey-settings.ts'
import { type Policy, parseRateLimits, type SignInLimit } from './rate-limit-policy.ts'
import { signUpSettings } from './sign-up-settings.ts'

const noPolicies: Policy[] = []
const byAddress: SignInLimit = 'address'

export const settings = {
  NODE_ENV: setting(
    oneOf('development', 'production', 'test'),
    'development',
    'development',
    '`production` selects the production defaults',
  ),
  PORT: setting(integer(0, 65_535), 3000, '3000', 'Port to listen on; 0 selects a free port'),
  HOST: setting(host, null, 'localhost (production: 0.0.0.0)', 'Address to listen on'),
  METRICS_PORT: setting(
    integer(1, 65_535),
    null,
    'none: `/metrics` is on PORT',
    'Separate port for `/metrics`, on HOST; PORT then no longer serves it',
  ),
  DATA_DIR: setting(
    text,
    './data',
    './data',
    'Folder of the embedded database, of tenant databases and of the generated master key',
  ),
  DATABASE_URL: setting(
    databaseUrl,
    null,
    'the embedded database in DATA_DIR',
    'Database of the service: `postgres://…` or `sqlite:<file>`',
  ),
  DATABASE_DIRECT_URL: setting(
    postgresUrl,
    null,
    'none: DATABASE_URL leads to PostgreSQL itself',
    'Address of PostgreSQL itself, if DATABASE_URL leads through a pooler: for notifications, migrations and moves',
  ),
  MASTER_KEY: setting(
    text,
    null,
    'generated once into DATA_DIR/master.key',
    'Key that encrypts secrets at rest: 32 bytes in base64. Required in production with PostgreSQL',
  ),
  PREVIOUS_MASTER_KEYS: setting(
    text,
    null,
    'none',
    'Further master keys that decrypt and never encrypt, comma-separated; for changing MASTER_KEY',
  ),
  BASE_URL: setting(
    baseUrl,
    null,
    'http://<HOST>:<PORT>',
    'Public address of the service, perhaps with a path, and issuer of its tokens',
  ),
  ACCOUNT_URL: setting(
    url,
    null,
    'the pages of the service, below BASE_URL',
    'Address of your own account pages: mails lead to `reset-password`, `accept-invitation`, `verify` and `verify-sign-up` below it',
  ),
  SETUP_TOKEN: setting(
    setupToken,
    null,
    'none in development; in production generated, and printed at the start until there is a user',
    'Token that creating the first administrator requires: 16 to 200 characters',
  ),
  BASE_DOMAIN: setting(domain, null, 'none', 'Domain whose subdomains name tenants: `acme.<BASE_DOMAIN>`'),
  TRUST_PROXY: setting(
    trustProxy,
    false,
    'false',
    'Proxies whose X-Forwarded-For is trusted: addresses and networks, comma-separated, or the number of proxies before the service; `true` believes every client',
  ),
  CORS_ORIGINS: setting(
    list(isOrigin, 'origins such as https://app.example.com, or *'),
    [],
    'none',
    'Origins from which browsers may call the service, comma-separated; `*` for any',
  ),
  ...passkeySettings,
  LOG_LEVEL: setting(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'info',
    'Lowest level that is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
  ),
  GRAPHQL_INTROSPECTION: setting(
    boolean,
    null,
    'true (production: false)',
    'Whether clients may query the GraphQL schema',
  ),
  GRAPHQL_OPERATIONS: setting(
    text,
    null,
    'none',
    'File of persisted GraphQL operations: a JSON object with documents by their SHA-256',
  ),
  GRAPHQL_OPERATIONS_ONLY: setting(
    boolean,
    false,
    'false',
    '`true` refuses operations that are not in GRAPHQL_OPERATIONS',
  ),
  GRAPHQL_MAX_COST: setting(
    integer(10, 1_000_000),
    1000,
    '1000',
    'Maximum cost of a GraphQL operation: 10 for each root field; 1 for each object, condition and sort key, or for each 64 KiB of a full list',
  ),
  GRAPHQL_MAX_ROWS: setting(
    integer(1, 1_000_000),
    10_000,
    '10000',
    'Maximum number of rows that a GraphQL operation reads',
  ),
  GRAPHQL_MAX_BYTES: setting(
    integer(64 * 1024, 256 * 1024 * 1024),
    16 * 1024 * 1024,
    '16777216',
    'Maximum size of the reply to a GraphQL operation',
  ),
  WEBHOOK_ALLOWED_NETWORKS: setting(
    list(isNetwork, 'networks in CIDR form, such as 10.0.0.0/8'),
    [],
    'none',
    'Private networks (CIDR) that webhooks may reach, comma-separated; 127.0.0.0/8 for loopback, which is also allowed in development while HOST is loopback',
  ),
  WEBHOOK_RETRY_SECONDS: setting(
    retrySchedule(5),
    [5, 15, 60, 300, 900],
    '5,15,60,300,900',
    'Retry schedule of webhooks: seconds from each failed attempt to the next, comma-separated, at most 5',
  ),
  WEBHOOK_TIMEOUT_MS: setting(
    integer(100, 300_000),
    30_000,
    '30000',
    'Time limit of one webhook attempt, from the look-up of the host to the end of the reply',
  ),
  WEBHOOK_RETENTION_DAYS: setting(
    integer(1, 3650),
    30,
    '30',
    'How long finished deliveries, their events and receipts of incoming webhooks are kept',
  ),
  JOB_RETENTION_DAYS: setting(integer(1, 3650), 30, '30', 'How long ended jobs are kept'),
  WEBHOOK_BODY_LIMIT_BYTES: setting(
    integer(1024, 1_073_741_824),
    1_048_576,
    '1048576',
    'Maximum size of the body of an incoming webhook',
  ),
  STRICT_INPUT: setting(
    boolean,
    false,
    'false',
    '`true` refuses unknown members, query parameters and names in every request, as `Prefer: handling=strict` does',
  ),
  PASSWORD_RANGE_URL: setting(
    url,
    null,
    'none: new passwords are compared with the list in the package',
    'Service of breached passwords: `https://api.pwnedpasswords.com/range`, or one with the same protocol. It gets five ' +
      'hexadecimal digits of the SHA-1 digest of a new password',
  ),
  SESSION_MAX_DAYS: setting(
    integer(1, 3650),
    365,
    '365',
    'Days after its sign-in until a session ends, however often it is refreshed. An unused one ends after 7 days',
  ),
  SIGN_IN_LIMIT: setting(
    oneOf('address', 'account'),
    byAddress,
    'address',
    'What five sign-ins in ten seconds are counted for. `address`: all requests of an address. `account`: the requests ' +
      'of an address for one account, and those of the address that sign nobody in',
  ),
  RATE_LIMITS: setting(
    parseRateLimits,
    noPolicies,
    'none',
    'Rate limits for each client as `name=requests/seconds`, comma-separated: `default=600/60`, `read=…`, `write=…`, a route (`POST /api/orders=10/1`) or a GraphQL field (`mutation createOrder=10/1`)',
  ),
  COMPRESS_REPLIES: setting(
    boolean,
    true,
    'true',
    '`false` turns off compression, for instance behind a proxy that compresses',
  ),
  BODY_LIMIT_BYTES: setting(integer(1024, 1_073_741_824), 1_048_576, '1048576', 'Largest request body'),
  REQUEST_TIMEOUT_MS: setting(
    integer(1000, 3_600_000),
    30_000,
    '30000',
    'Time limit for receiving a whole request',
  ),
  MAX_CONNECTIONS: setting(
    integer(10, 1_000_000),
    10_000,
    '10000',
    'Maximum number of client connections, WebSockets included; at most half of the open files that the process may have',
  ),
  DATABASE_CONNECTIONS: setting(
    integer(1, 1000),
    10,
    '10',
    'Maximum number of connections to each PostgreSQL database',
  ),
  TENANT_DATABASE_CONNECTIONS: setting(
    integer(1, 10_000),
    20,
    '20',
    'Maximum number of connections to the PostgreSQL databases of all tenants together',
  ),
  OPEN_TENANT_DATABASES: setting(
    integer(1, 100_000),
    200,
    '200',
    'Maximum number of idle tenant databases that stay open',
  ),
  ...fileSettings,
  ...mailSettings,
  ...signUpSettings,
} as const

type Schema = typeof settings
/** The values of all settings, each of the type that its parser returns or its default has. */
export type Settings = {
  [K in keyof Schema]: Schema[K] extends Setting<infer T, infer D> ? Widen<T | D> : never
}
type Widen<T> = T extends never[] ? string[] : T

export function isSettingName(name: string): boolean {
  return Object.hasOwn(settings, name)
}
