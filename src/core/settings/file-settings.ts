/** The settings of the files of tenants and of their store, each with its parser, its default and its description. */
import { isThisMachine } from '../outgoing/ip-address.ts'
import { hostOf } from '../outgoing/url.ts'
import { boolean, integer, isDecodable, setting, text } from './parse.ts'

const mebibyte = 1024 * 1024

export const fileSettings = {
  FILES_URL: setting(
    storeUrl,
    null,
    'the folder `files` in DATA_DIR',
    'Store of files: `s3://<bucket>/<prefix>?region=<region>&endpoint=<address>&style=<style>`; `region` is us-east-1 by default, `endpoint` that of Amazon S3; `style` is `path` or `virtual`: the bucket in the path, as by default with an endpoint, or in the name of the host',
  ),
  FILES_ACCESS_KEY_ID: setting(text, null, 'none', 'Access key of FILES_URL'),
  FILES_SECRET_ACCESS_KEY: setting(text, null, 'none', 'Secret access key of FILES_URL'),
  FILES_INSTANCE_ROLE: setting(
    boolean,
    false,
    'false',
    'Whether FILES_URL is used with the role of the machine on EC2 (instance metadata, version 2)',
  ),
  AWS_ACCESS_KEY_ID: setting(text, null, 'none', 'Access key of FILES_URL without FILES_ACCESS_KEY_ID'),
  AWS_SECRET_ACCESS_KEY: setting(text, null, 'none', 'Its secret access key'),
  AWS_SESSION_TOKEN: setting(text, null, 'none', 'Its session token, if it is temporary'),
  AWS_ROLE_ARN: setting(
    text,
    null,
    'none',
    'The role with which FILES_URL is used by AWS_WEB_IDENTITY_TOKEN_FILE',
  ),
  AWS_WEB_IDENTITY_TOKEN_FILE: setting(text, null, 'none', 'A file with the token that grants AWS_ROLE_ARN'),
  AWS_ENDPOINT_URL_STS: setting(
    httpUrl,
    null,
    'that of the region',
    'Address of the Security Token Service that grants AWS_ROLE_ARN',
  ),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: setting(
    containerPath,
    null,
    'none',
    'Where ECS has the credentials of the role of a task; ECS sets it',
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: setting(
    containerUrl,
    null,
    'none',
    'Where the platform has the credentials of a container; EKS sets it',
  ),
  AWS_CONTAINER_AUTHORIZATION_TOKEN: setting(text, null, 'none', 'What is sent there as `Authorization`'),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: setting(text, null, 'none', 'A file with it, which EKS sets'),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: setting(
    httpUrl,
    null,
    'http://169.254.169.254',
    'Address of the instance metadata for FILES_INSTANCE_ROLE',
  ),
  FILES_MAX_BYTES: setting(
    integer(1024, 5 * 1024 * mebibyte),
    100 * mebibyte,
    '104857600',
    'Maximum size of an uploaded file',
  ),
  FILES_VIDEO: setting(boolean, false, 'false', 'Whether files may be videos (MP4, QuickTime, WebM)'),
  FILES_QUOTA_BYTES: setting(
    integer(1024, Number.MAX_SAFE_INTEGER),
    10 * 1024 * mebibyte,
    '10737418240',
    'Maximum size of the files of a tenant together',
  ),
  FILES_LINK_MINUTES: setting(
    integer(2, 10_080),
    60,
    '60',
    'Maximum time for which a link to a file is valid; it is valid for at least half of it',
  ),
  FILES_UNUSED_HOURS: setting(
    integer(1, 8760),
    24,
    '24',
    'How long a file is kept that no row names, for instance one that was uploaded and not used',
  ),
} as const

function storeUrl(value: string): URL {
  const url = URL.parse(value)
  const parameters = [...(url?.searchParams.keys() ?? [])]
  const isKnown = parameters.every((name) => /^(region|endpoint|style)$/.test(name))
  const endpoint = url?.searchParams.get('endpoint') ?? 'https://s3.amazonaws.com'
  const hasStyle = /^(path|virtual)$/.test(url?.searchParams.get('style') ?? 'path')
  const hasBucket = url !== null && url.protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{2,62}$/.test(url.hostname)
  const hasNoSecret = url?.username === '' && url.password === ''
  const hasEndpoint = /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
  const isAddress = hasBucket && hasNoSecret && isDecodable(url.pathname)
  if (isAddress && isKnown && hasStyle && hasEndpoint) return url
  throw new Error(
    'must be s3://<bucket>/<prefix>, with region=…, endpoint=… and style=path or style=virtual as its only parameters',
  )
}

function httpUrl(value: string): URL {
  const url = URL.parse(value)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  throw new Error('must be an address such as https://sts.eu-central-1.amazonaws.com')
}

function containerPath(value: string): string {
  if (/^\/(?!\/)\S*$/.test(value)) return value
  throw new Error('must be a path such as /v2/credentials/…')
}

/** The addresses at which ECS and EKS offer credentials to the containers of a machine. */
const platformHosts = ['169.254.170.2', '169.254.170.23', 'fd00:ec2::23']

/** Accepts an address without TLS only on the machine itself, because the answer has credentials. */
function containerUrl(value: string): URL {
  const url = httpUrl(value)
  const host = hostOf(url)
  if (url.protocol === 'https:' || isThisMachine(host) || platformHosts.includes(host)) return url
  throw new Error('must begin with https://, or be on the machine')
}
