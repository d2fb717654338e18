/** The settings of files. */
import { integer, setting, text } from './parse.ts'

const mebibyte = 1024 * 1024

export const fileSettings = {
  FILES_URL: setting(
    storeUrl,
    null,
    'the folder `files` in DATA_DIR',
    'Store of files: `s3://<bucket>/<prefix>?region=<region>&endpoint=<address>`; `region` is us-east-1 by default, `endpoint` that of Amazon S3',
  ),
  FILES_ACCESS_KEY_ID: setting(text, null, 'none', 'Access key of FILES_URL'),
  FILES_SECRET_ACCESS_KEY: setting(text, null, 'none', 'Secret access key of FILES_URL'),
  FILES_MAX_BYTES: setting(
    integer(1024, 5 * 1024 * mebibyte),
    100 * mebibyte,
    '104857600',
    'Maximum size of an uploaded file',
  ),
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
  const isKnown = parameters.every((name) => name === 'region' || name === 'endpoint')
  const endpoint = url?.searchParams.get('endpoint') ?? 'https://s3.amazonaws.com'
  const hasBucket = url !== null && url.protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{2,62}$/.test(url.hostname)
  const hasNoSecret = url?.username === '' && url.password === ''
  if (hasBucket && hasNoSecret && isKnown && /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) return url
  throw new Error('must be s3://<bucket>/<prefix>, with region=… and endpoint=… as its only parameters')
}
