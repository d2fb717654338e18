/**
 * Finds credentials for a store that speaks the protocol of S3. They are fixed, or temporary ones of a role, which are
 * renewed before they expire. The sources are tried in the order of the AWS SDKs.
 */
import { readFile } from 'node:fs/promises'
import { type Expiring, ExpiringValue } from '../../core/expiring-value.ts'
import { boundedFetch } from '../../core/outgoing/bounded-fetch.ts'
import type { GuardedRequest } from '../../core/outgoing/guarded-fetch.ts'
import type { FileConfig } from '../../core/settings/file-config.ts'
import { parseXml, textOf } from './xml.ts'

export interface AccessKey {
  accessKeyId: string
  secretAccessKey: string
  /** Only temporary credentials have a token. */
  sessionToken: string | null
}

export interface AccessKeySource {
  get(): Promise<AccessKey>
  /** Forgets a key that the store has refused as expired, so that `get` asks for another one. */
  drop(key: AccessKey): void
}

/** @returns `null` if the settings name no credentials */
export function credentialSource(config: FileConfig, region: string): AccessKeySource | null {
  const key = fixedKey(config)
  if (key !== null) return { get: async () => key, drop: () => undefined }
  const requestKey = temporaryKey(config, region)
  return requestKey === null ? null : new ExpiringValue(requestKey, marginMs)
}

/** Credentials are renewed this long before they expire, because a signed request takes time to arrive. */
const marginMs = 5 * 60_000
const limits = { timeoutMs: 5000, maxBytes: 64 * 1024 }
const containerHost = 'http://169.254.170.2'
const metadataHost = 'http://169.254.169.254'
const metadataTokenSeconds = '300'

type KeyRequest = () => Promise<Expiring<AccessKey>>

function fixedKey(config: FileConfig): AccessKey | null {
  const { filesAccessKeyId, filesSecretAccessKey, awsAccessKeyId, awsSecretAccessKey } = config
  if (filesAccessKeyId !== null && filesSecretAccessKey !== null)
    return { accessKeyId: filesAccessKeyId, secretAccessKey: filesSecretAccessKey, sessionToken: null }
  if (awsAccessKeyId === null || awsSecretAccessKey === null) return null
  const sessionToken = config.awsSessionToken
  return { accessKeyId: awsAccessKeyId, secretAccessKey: awsSecretAccessKey, sessionToken }
}

function temporaryKey(config: FileConfig, region: string): KeyRequest | null {
  const { awsWebIdentityTokenFile: file, awsRoleArn: roleArn } = config
  if (file !== null && roleArn !== null) {
    const url = config.awsEndpointUrlSts ?? new URL(`https://sts.${region}.amazonaws.com/`)
    return () => assumeRole(url, roleArn, file)
  }
  const { awsContainerCredentialsRelativeUri: path, awsContainerCredentialsFullUri: full } = config
  const container = path === null ? full : new URL(path, containerHost)
  if (container !== null) return () => askContainer(container, config)
  return config.filesInstanceRole ? () => askInstance(config.awsEc2MetadataServiceEndpoint) : null
}

/** Gets credentials of the Security Token Service for a token that the platform keeps in a file. */
async function assumeRole(url: URL, roleArn: string, file: string): Promise<Expiring<AccessKey>> {
  const form = new URLSearchParams({
    Action: 'AssumeRoleWithWebIdentity',
    Version: '2011-06-15',
    RoleArn: roleArn,
    RoleSessionName: 'tenantry',
    WebIdentityToken: (await readFile(file, 'utf8')).trim(),
  })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetchText(url, { method: 'POST', headers, body: form.toString() })
  const answered = await parseXml(answer)
  const value = (name: string) => textOf(answered, name)
  return expiring({
    AccessKeyId: value('AccessKeyId'),
    SecretAccessKey: value('SecretAccessKey'),
    Token: value('SessionToken'),
    Expiration: value('Expiration'),
  })
}

async function askContainer(url: URL, config: FileConfig): Promise<Expiring<AccessKey>> {
  const file = config.awsContainerAuthorizationTokenFile
  const token = file === null ? config.awsContainerAuthorizationToken : (await readFile(file, 'utf8')).trim()
  return readKey(await fetchText(url, { headers: token === null ? {} : { authorization: token } }))
}

/** Gets credentials of the instance (IMDSv2). It asks for a token first, which forged requests could not do. */
async function askInstance(endpoint: URL | null): Promise<Expiring<AccessKey>> {
  const base = endpoint ?? new URL(metadataHost)
  const ttl = { 'x-aws-ec2-metadata-token-ttl-seconds': metadataTokenSeconds }
  const token = await fetchText(new URL('/latest/api/token', base), { method: 'PUT', headers: ttl })
  const headers = { 'x-aws-ec2-metadata-token': token.trim() }
  const folder = new URL('/latest/meta-data/iam/security-credentials/', base)
  const role = (await fetchText(folder, { headers })).trim().split('\n')[0] ?? ''
  return readKey(await fetchText(new URL(encodeURIComponent(role), folder), { headers }))
}

async function fetchText(url: URL, request: GuardedRequest): Promise<string> {
  const { status, body } = await boundedFetch(url, request, limits)
  if (status === 200) return body
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? ''
  throw new Error(`${url.host} answers a request for credentials with ${status} ${code}`.trimEnd())
}

/** The answer with the names that containers and instances use. */
interface KeyAnswer {
  AccessKeyId?: unknown
  SecretAccessKey?: unknown
  Token?: unknown
  /** ISO 8601 */
  Expiration?: unknown
}

function readKey(body: string): Expiring<AccessKey> {
  const answer: unknown = JSON.parse(body)
  return expiring(typeof answer === 'object' && answer !== null ? answer : {})
}

function expiring({ AccessKeyId, SecretAccessKey, Token, Expiration }: KeyAnswer): Expiring<AccessKey> {
  const endsAtMs = Date.parse(String(Expiration))
  const isKey = typeof AccessKeyId === 'string' && typeof SecretAccessKey === 'string'
  if (!isKey || typeof Token !== 'string' || Number.isNaN(endsAtMs))
    throw new Error('The answer to a request for credentials has none.')
  const value = { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token }
  return { value, validMs: endsAtMs - Date.now() }
}
