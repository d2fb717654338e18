/** A text for each setting, and what it does to the configuration. */
import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../../../src/core/settings/config.ts'
import type { settings } from '../../../src/core/settings/settings.ts'
import { certificate } from '../../support/mail/certificate.ts'
import { project } from '../../support/process/workplace.ts'
import { key, MASTER_KEY } from './read.ts'

export const fingerprint = Array.from({ length: 32 }, () => '6D').join(':')
const androidOrigin = `android:apk-key-hash:${'a'.repeat(43)}`

interface Files {
  certificateFile: string
  operationsFile: string
  /** In the file. */
  operation: string
}

export function givenSettings({
  certificateFile,
  operationsFile,
  operation,
}: Files): Record<keyof typeof settings, [text: string, expected: Partial<Config>]> {
  return {
    NODE_ENV: ['production', { production: true }],
    PORT: ['8080', { port: 8080, baseUrl: 'http://localhost:8080' }],
    HOST: ['::1', { host: '::1', baseUrl: 'http://[::1]:3000' }],
    METRICS_PORT: ['9464', { metricsPort: 9464 }],
    DATA_DIR: ['var/data', { dataDir: join(project, 'var/data') }],
    DATABASE_URL: ['postgres://u:p@db/app', { databaseUrl: 'postgres://u:p@db/app' }],
    DATABASE_DIRECT_URL: ['postgres://u:p@server/app', { databaseDirectUrl: 'postgres://u:p@server/app' }],
    MASTER_KEY: [MASTER_KEY, { masterKey: key }],
    PREVIOUS_MASTER_KEYS: [` ${MASTER_KEY},${MASTER_KEY} `, { previousMasterKeys: [key, key] }],
    BASE_URL: ['https://example.com/app/', { baseUrl: 'https://example.com/app' }],
    SETUP_TOKEN: ['0123456789abcdef', { setupToken: '0123456789abcdef' }],
    ACCOUNT_URL: ['https://app.example.com/account', { accountUrl: 'https://app.example.com/account' }],
    BASE_DOMAIN: ['Example.com', { baseDomain: 'example.com' }],
    TRUST_PROXY: ['10.0.0.1, fd00::/8,loopback', { trustProxy: ['10.0.0.1', 'fd00::/8', 'loopback'] }],
    CORS_ORIGINS: ['https://a.example, http://b:81', { corsOrigins: ['https://a.example', 'http://b:81'] }],
    PASSKEY_RELATED_ORIGINS: ['https://acme.org', { passkeyRelatedOrigins: ['https://acme.org'] }],
    PASSKEY_APPLE_APPS: ['ABCDE12345.org.acme', { passkeyAppleApps: ['ABCDE12345.org.acme'] }],
    PASSKEY_ANDROID_APPS: [
      `org.acme=${fingerprint}, org.acme.test=${fingerprint},org.acme=${fingerprint.toLowerCase()}`,
      {
        passkeyAndroidApps: [
          { packageName: 'org.acme', fingerprints: [fingerprint, fingerprint] },
          { packageName: 'org.acme.test', fingerprints: [fingerprint] },
        ],
      },
    ],
    PASSKEY_ORIGINS: [
      `https://b.example,${androidOrigin}`,
      { passkeyOrigins: ['https://b.example', androidOrigin] },
    ],
    LOG_LEVEL: ['warn', { logLevel: 'warn' }],
    GRAPHQL_INTROSPECTION: ['false', { graphqlIntrospection: false }],
    GRAPHQL_OPERATIONS: [
      operationsFile,
      { graphqlOperations: new Map([[hash('sha256', operation), operation]]) },
    ],
    GRAPHQL_OPERATIONS_ONLY: ['true', { graphqlOperationsOnly: true }],
    GRAPHQL_MAX_COST: ['500', { graphqlMaxCost: 500 }],
    GRAPHQL_MAX_ROWS: ['100', { graphqlMaxRows: 100 }],
    GRAPHQL_MAX_BYTES: ['65536', { graphqlMaxBytes: 65_536 }],
    WEBHOOK_ALLOWED_NETWORKS: ['10.0.0.0/8,fd00::/8', { webhookAllowedNetworks: ['10.0.0.0/8', 'fd00::/8'] }],
    WEBHOOK_RETRY_SECONDS: ['1, 2,3', { webhookRetrySeconds: [1, 2, 3] }],
    WEBHOOK_TIMEOUT_MS: ['500', { webhookTimeoutMs: 500 }],
    WEBHOOK_RETENTION_DAYS: ['7', { webhookRetentionDays: 7 }],
    JOB_RETENTION_DAYS: ['8', { jobRetentionDays: 8 }],
    WEBHOOK_BODY_LIMIT_BYTES: ['4096', { webhookBodyLimitBytes: 4096 }],
    PASSWORD_RANGE_URL: ['https://ranges.example/x/', { passwordRangeUrl: 'https://ranges.example/x' }],
    SIGN_IN_LIMIT: ['account', { signInLimit: 'account' }],
    SESSION_MAX_DAYS: ['30', { sessionMaxDays: 30 }],
    SIGN_UP: ['approval', { signUp: 'approval' }],
    DEFAULT_ROLE: ['Guest', { defaultRole: 'Guest', isDefaultRoleSet: true }],
    RESERVED_SUBDOMAINS: ['Shop, billing', { reservedSubdomains: ['shop', 'billing'] }],
    RATE_LIMITS: [
      'default=600/60, POST  /api/orders/{id}/pay = 10/1',
      {
        rateLimits: [
          { name: 'default', requests: 600, seconds: 60 },
          { name: 'POST /api/orders/:id/pay', requests: 10, seconds: 1 },
        ],
      },
    ],
    STRICT_INPUT: ['true', { strictInput: true }],
    COMPRESS_REPLIES: ['false', { compressReplies: false }],
    BODY_LIMIT_BYTES: ['2048', { bodyLimitBytes: 2048 }],
    REQUEST_TIMEOUT_MS: ['1500', { requestTimeoutMs: 1500 }],
    MAX_CONNECTIONS: ['50', { maxConnections: 50 }],
    DATABASE_CONNECTIONS: ['3', { databaseConnections: 3 }],
    TENANT_DATABASE_CONNECTIONS: ['5', { tenantDatabaseConnections: 5 }],
    OPEN_TENANT_DATABASES: ['7', { openTenantDatabases: 7 }],
    FILES_URL: ['s3://bucket/a?region=eu-1', { filesUrl: new URL('s3://bucket/a?region=eu-1') }],
    FILES_ACCESS_KEY_ID: ['id', { filesAccessKeyId: 'id' }],
    FILES_SECRET_ACCESS_KEY: ['secret', { filesSecretAccessKey: 'secret' }],
    FILES_INSTANCE_ROLE: ['true', { filesInstanceRole: true }],
    AWS_ACCESS_KEY_ID: ['id', { awsAccessKeyId: 'id' }],
    AWS_SECRET_ACCESS_KEY: ['secret', { awsSecretAccessKey: 'secret' }],
    AWS_SESSION_TOKEN: ['token', { awsSessionToken: 'token' }],
    AWS_ROLE_ARN: ['arn:aws:iam::1:role/a', { awsRoleArn: 'arn:aws:iam::1:role/a' }],
    AWS_WEB_IDENTITY_TOKEN_FILE: ['/run/token', { awsWebIdentityTokenFile: '/run/token' }],
    AWS_ENDPOINT_URL_STS: ['https://sts.example', { awsEndpointUrlSts: new URL('https://sts.example') }],
    AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: ['/v2/a', { awsContainerCredentialsRelativeUri: '/v2/a' }],
    AWS_CONTAINER_CREDENTIALS_FULL_URI: [
      'http://169.254.170.23/v1/credentials',
      { awsContainerCredentialsFullUri: new URL('http://169.254.170.23/v1/credentials') },
    ],
    AWS_CONTAINER_AUTHORIZATION_TOKEN: ['token', { awsContainerAuthorizationToken: 'token' }],
    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: ['/run/a', { awsContainerAuthorizationTokenFile: '/run/a' }],
    AWS_EC2_METADATA_SERVICE_ENDPOINT: [
      'http://127.0.0.1:1338',
      { awsEc2MetadataServiceEndpoint: new URL('http://127.0.0.1:1338') },
    ],
    FILES_MAX_BYTES: ['2048', { filesMaxBytes: 2048 }],
    FILES_VIDEO: ['true', { filesVideo: true }],
    FILES_QUOTA_BYTES: ['4096', { filesQuotaBytes: 4096 }],
    FILES_LINK_MINUTES: ['5', { filesLinkMinutes: 5 }],
    FILES_UNUSED_HOURS: ['2', { filesUnusedHours: 2 }],
    SMTP_URL: ['smtp://me:p%40ss@example.com:587', { smtpUrl: new URL('smtp://me:p%40ss@example.com:587') }],
    SMTP_TOKEN_FILE: ['/run/token', { smtpTokenFile: '/run/token' }],
    SMTP_TOKEN_URL: ['https://a.example/token', { smtpTokenUrl: new URL('https://a.example/token') }],
    SMTP_CLIENT_ID: ['client', { smtpClientId: 'client' }],
    SMTP_CLIENT_SECRET: ['secret', { smtpClientSecret: 'secret' }],
    SMTP_REFRESH_TOKEN: ['token', { smtpRefreshToken: 'token' }],
    SMTP_SCOPE: ['mail', { smtpScope: 'mail' }],
    SMTP_NAME: ['app.acme.example', { smtpName: 'app.acme.example' }],
    SMTP_CA: [certificateFile, { smtpCa: certificate }],
    MAIL_FROM: ['Acme <post@acme.example>', { mailFrom: { name: 'Acme', address: 'post@acme.example' } }],
    MAIL_RETRY_SECONDS: ['1, 2,3,4,5,6', { mailRetrySeconds: [1, 2, 3, 4, 5, 6] }],
    MAIL_RETENTION_DAYS: ['7', { mailRetentionDays: 7 }],
    MAIL_NEW_TENANT_PER_DAY: ['20', { mailNewTenantPerDay: 20 }],
    MAIL_NETWORK_PER_DAY: ['30', { mailNetworkPerDay: 30 }],
    MAIL_PER_DAY: ['40', { mailPerDay: 40 }],
    MAIL_TRUSTED_TENANTS: ['acme, Other', { mailTrustedTenants: ['acme', 'Other'] }],
  }
}
