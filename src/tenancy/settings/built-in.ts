/** The settings of every tenant that the service itself declares. Everybody may read them: sign-in pages show them. */
import { Type } from 'typebox'
import { isLocale } from '../../core/locale.ts'
import { DisplayName, Nullable } from '../../core/schema/schema.ts'
import { setting } from '../../core/tenant/settings/setting.ts'

const color = (description: string, example: string) =>
  Nullable(
    Type.String({
      maxLength: 7,
      pattern: '^#[0-9A-Fa-f]{6}$',
      'x-reason': 'must be a colour like #1a2b3c',
      'x-code': 'badColor',
      description,
      examples: [example],
    }),
  )

const LogoUrl = Nullable(
  Type.Refine(
    Type.String({
      maxLength: 2048,
      description: 'The address of the logo',
      examples: ['https://acme.example/logo.svg'],
    }),
    isLogoUrl,
    () => 'must be an address that begins with https://; http only on loopback',
  ),
)

/** The origin of the logo becomes a part of the `Content-Security-Policy` of pages: no character may end it. */
function isLogoUrl(address: string): boolean {
  const pattern = /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|[a-z0-9-]+\.localhost)([:/]|$))[^\s"'<>\\]*$/
  return pattern.test(address) && URL.canParse(address)
}

const Locale = Type.Refine(
  Type.String({ maxLength: 35, description: 'A language tag (BCP 47)', examples: ['de-CH'] }),
  isLocale,
  () => 'must be a language tag like en or de-CH',
)

const defaultTimeZone = 'UTC'

const TimeZone = Type.Refine(
  Type.String({
    maxLength: 64,
    description: 'A name of the IANA time zone database',
    examples: ['Europe/Zurich'],
  }),
  isTimeZone,
  () => 'must be a time zone like UTC or Europe/Zurich',
)

export const builtInSettings = {
  brandName: setting(
    Nullable(
      DisplayName(100, {
        description: 'The name that customers of the tenant read; the name of the tenant if `null`',
        examples: ['Acme'],
      }),
    ),
    { default: null, public: true },
  ),
  brandLogoUrl: setting(LogoUrl, { default: null, public: true }),
  brandColor: setting(color('The main colour', '#1a2b3c'), { default: null, public: true }),
  brandAccentColor: setting(color('The colour of highlights', '#ffaa00'), { default: null, public: true }),
  locale: setting(Locale, { default: 'en', public: true }),
  timeZone: setting(TimeZone, { default: defaultTimeZone, public: true }),
}

/**
 * Offsets such as `+01:00` are not accepted. The default is not checked, because each start does so and the first
 * format takes 8 MB of memory.
 */
function isTimeZone(name: string): boolean {
  if (name === defaultTimeZone) return true
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false // the constructor throws RangeError for an unknown name
  }
}
