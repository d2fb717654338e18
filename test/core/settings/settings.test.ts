import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import type { Config } from '../../../src/core/settings/config.ts'
import { settings } from '../../../src/core/settings/settings.ts'
import { certificate } from '../../support/mail/certificate.ts'
import { project } from '../../support/process/workplace.ts'
import { fingerprint, givenSettings } from './given.ts'
import { configFaults, key, load, MASTER_KEY } from './read.ts'

const operation = '{ __typename }'
const folder = mkdtempSync(join(tmpdir(), 'tenantry-settings-'))
const certificateFile = join(folder, 'ca.pem')
writeFileSync(certificateFile, certificate)
const operationsFile = join(folder, 'operations.json')
writeFileSync(operationsFile, JSON.stringify({ [hash('sha256', operation)]: operation }))
after(() => rmSync(folder, { recursive: true }))

describe('Every setting', () => {
  const given = givenSettings({ certificateFile, operationsFile, operation })
  for (const [name, [text, expected]] of Object.entries(given)) {
    it(`takes effect: ${name}`, () => {
      const config = load({ [name]: text })
      assert.deepEqual({ ...config, masterKey: Buffer.from(config.masterKey) }, { ...config, ...expected })
    })
  }

  it('knows how many threads Node has, which is no setting of the service', () => {
    const threadsOf = (size: string) => load({ UV_THREADPOOL_SIZE: size }).threadPoolSize
    assert.deepEqual(['8', '1', '0', 'many', '5000'].map(threadsOf), [8, 1, 1, 1, 1024])
  })

  it('is what the documents say when it is left out, or empty', () => {
    const expected: Config = {
      production: false,
      port: 3000,
      host: 'localhost',
      metricsPort: null,
      dataDir: join(project, 'data'),
      databaseUrl: `sqlite:${join(project, 'data/tenantry.db')}`,
      databaseDirectUrl: null,
      masterKey: key,
      newMasterKeyFile: null,
      previousMasterKeys: [],
      baseUrl: 'http://localhost:3000',
      setupToken: null,
      accountUrl: null,
      baseDomain: null,
      trustProxy: false,
      corsOrigins: [],
      passkeyOrigins: [],
      passkeyRelatedOrigins: [],
      passkeyAndroidApps: [],
      passkeyAppleApps: [],
      logLevel: 'info',
      graphqlIntrospection: true,
      graphqlOperations: new Map(),
      graphqlOperationsOnly: false,
      graphqlMaxCost: 1000,
      graphqlMaxRows: 10_000,
      graphqlMaxBytes: 16_777_216,
      webhookAllowedNetworks: [],
      webhookRetrySeconds: [5, 15, 60, 300, 900],
      webhookTimeoutMs: 30_000,
      webhookRetentionDays: 30,
      jobRetentionDays: 30,
      webhookBodyLimitBytes: 1_048_576,
      passwordRangeUrl: null,
      signInLimit: 'address',
      sessionMaxDays: 365,
      signUp: 'off',
      defaultRole: 'User',
      isDefaultRoleSet: false,
      reservedSubdomains: [],
      rateLimits: [],
      strictInput: false,
      compressReplies: true,
      bodyLimitBytes: 1_048_576,
      requestTimeoutMs: 30_000,
      maxConnections: 10_000,
      databaseConnections: 10,
      tenantDatabaseConnections: 20,
      openTenantDatabases: 200,
      threadPoolSize: 4,
      filesUrl: null,
      filesAccessKeyId: null,
      filesSecretAccessKey: null,
      filesInstanceRole: false,
      awsAccessKeyId: null,
      awsSecretAccessKey: null,
      awsSessionToken: null,
      awsRoleArn: null,
      awsWebIdentityTokenFile: null,
      awsEndpointUrlSts: null,
      awsContainerCredentialsRelativeUri: null,
      awsContainerCredentialsFullUri: null,
      awsContainerAuthorizationToken: null,
      awsContainerAuthorizationTokenFile: null,
      awsEc2MetadataServiceEndpoint: null,
      filesMaxBytes: 104_857_600,
      filesVideo: false,
      filesQuotaBytes: 10_737_418_240,
      filesLinkMinutes: 60,
      filesUnusedHours: 24,
      smtpName: 'localhost',
      smtpCa: null,
      smtpUrl: null,
      smtpTokenFile: null,
      smtpTokenUrl: null,
      smtpClientId: null,
      smtpClientSecret: null,
      smtpRefreshToken: null,
      smtpScope: null,
      mailFrom: { name: null, address: 'noreply@localhost' },
      mailRetrySeconds: [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800],
      mailRetentionDays: 30,
      mailNewTenantPerDay: 10,
      mailNetworkPerDay: 200,
      mailPerDay: 10_000,
      mailTrustedTenants: [],
    }
    assert.deepEqual(load({}), expected)
    const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
    assert.deepEqual(load({ ...empty, MASTER_KEY }), expected)
  })

  it('has other defaults in production: every address, no introspection', () => {
    const { host, baseUrl, graphqlIntrospection } = load({ NODE_ENV: 'production' })
    assert.deepEqual(
      { host, baseUrl, graphqlIntrospection },
      { host: '0.0.0.0', baseUrl: 'http://localhost:3000', graphqlIntrospection: false },
    )
  })

  const bad: [name: keyof typeof settings, texts: string[]][] = [
    ['NODE_ENV', ['prod', 'Production']],
    ['PORT', ['-1', '65536', '80a', '1e3', ' 80', '3000.5']],
    ['HOST', ['http://localhost', 'a b', '[::1]']],
    ['DATABASE_URL', ['mysql://db/app', 'sqlite:', 'postgres://', 'postgres://u:p@db:port/app', './app.db']],
    ['MASTER_KEY', ['short', randomBytes(31).toString('base64'), randomBytes(32).toString('hex')]],
    [
      'BASE_URL',
      [
        'api.example.com',
        'ftp://example.com',
        '/api',
        'https://example.com/a%20b',
        'https://example.com/a//b',
        'https://example.com/?a',
        'https://u@example.com',
      ],
    ],
    ['BASE_DOMAIN', ['https://example.com', 'example.com.', '*.example.com']],
    ['TRUST_PROXY', ['-1', '100', '1.5', 'yes', '10.0.0.0/99', 'proxy.local']],
    ['CORS_ORIGINS', ['example.com', 'https://example.com/', 'https://Example.com', 'https://*.example.com']],
    ['PASSKEY_RELATED_ORIGINS', ['http://acme.org', 'https://acme.org/', '*']],
    ['PASSKEY_APPLE_APPS', ['org.acme', 'short.org.acme', 'ABCDE12345']],
    [
      'PASSKEY_ANDROID_APPS',
      ['org.acme', 'org.acme=14:6D', `acme=${fingerprint}`, `org.acme=${'A'.repeat(64)}`],
    ],
    [
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
      ['http://evil.example/', 'http://127.evil.example/', 'ftp://127.0.0.1/'],
    ],
    ['SMTP_TOKEN_URL', ['http://evil.example/', 'http://127.evil.example/', 'ftp://127.0.0.1/']],
    ['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI', ['//evil.example/', 'v2', 'http://evil.example']],
    ['PASSKEY_ORIGINS', ['*', 'android:apk-key-hash:short', 'ios:bundle-id:app']],
    ['SMTP_NAME', ['https://app.example', 'app.example.', '-']],
    ['SMTP_CA', ['no-such-file.pem', 'package.json']],
    ['LOG_LEVEL', ['verbose', 'INFO']],
    ['GRAPHQL_INTROSPECTION', ['1', 'on']],
    ['GRAPHQL_OPERATIONS', ['no-such-file.json', 'package.json']],
    ['GRAPHQL_OPERATIONS_ONLY', ['1', 'yes']],
    ['GRAPHQL_MAX_COST', ['9', 'much']],
    ['GRAPHQL_MAX_ROWS', ['0', 'all']],
    ['WEBHOOK_ALLOWED_NETWORKS', ['10.0.0.1', '10.0.0.0/33', '10.0.0.0/8/9', 'fe80::1%eth0/64', 'private']],
    ['WEBHOOK_RETRY_SECONDS', ['0', '5,x', '-1', Array(6).fill('1').join()]],
    ['WEBHOOK_TIMEOUT_MS', ['99', '30s']],
    ['WEBHOOK_RETENTION_DAYS', ['0', '30d']],
    ['JOB_RETENTION_DAYS', ['0', '30d']],
    ['STRICT_INPUT', ['1', 'yes']],
    [
      'FILES_URL',
      [
        'https://bucket',
        's3://',
        's3://key:secret@bucket',
        's3://bucket?acl=public',
        's3://bucket/100%',
        's3://a?endpoint=x',
      ],
    ],
    ['FILES_MAX_BYTES', ['0', '1e9', '10GB']],
    ['FILES_LINK_MINUTES', ['1', '20000']],
    [
      'RATE_LIMITS',
      [
        '600/60',
        'default',
        'default=600',
        'default=0/60',
        'default=600/0',
        'default=600/86401',
        'default=1000001/60',
        'default=6e2/60',
        'default=10/1m',
        'all=600/60',
        'strict=600/60',
        'PATCHES /api/orders=1/1',
        'POST api/orders=1/1',
        'createOrder=1/1',
        'mutation create-order=1/1',
        'read=1/1,read=2/2',
        'GET /api/orders/{id}=1/1, GET /api/orders/:id=2/2',
      ],
    ],
    ['COMPRESS_REPLIES', ['1', 'no']],
    ['BODY_LIMIT_BYTES', ['1', '1MB']],
    ['REQUEST_TIMEOUT_MS', ['999', '30s', '3600001']],
    ['MAX_CONNECTIONS', ['9', 'many']],
    ['DATABASE_CONNECTIONS', ['0', '1001']],
    ['OPEN_TENANT_DATABASES', ['0', 'all']],
  ]
  for (const [name, texts] of bad) {
    it(`is refused where it makes no sense: ${name}`, () => {
      for (const text of texts) {
        const faults = configFaults({ [name]: text })
        assert.equal(faults.length, 1, `${name}=${text}: ${faults.join('; ')}`)
        assert.match(faults[0] ?? '', new RegExp(`^${name}: must `))
      }
    })
  }

  it('that holds a secret is refused without being shown', () => {
    const secret = 'tOpSeCrEt'
    const faults = configFaults({ MASTER_KEY: secret, DATABASE_URL: `postgres://u:${secret}@db:x/app` })
    assert.equal(faults.length, 2)
    assert.ok(!faults.join().includes(secret), faults.join())
  })

  it('has to name the master key in production with PostgreSQL', () => {
    for (const DATABASE_URL of ['postgres://db/app', 'PostgreSQL://db/app'])
      assert.deepEqual(configFaults({ NODE_ENV: 'production', DATABASE_URL, MASTER_KEY: '' }), [
        'MASTER_KEY: is required in production with PostgreSQL (32 bytes in base64)',
      ])
  })
})
