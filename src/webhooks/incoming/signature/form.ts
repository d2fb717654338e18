/** Forms, which some providers send instead of JSON. */

/** Far more than forms of providers have. Parsing a mebibyte of fields would take 200 ms. */
const maxFields = 1000

/** @param contentType the header, as sent */
export function isForm(contentType: unknown): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(String(contentType ?? ''))
}

/** @returns `null` for a form with too many fields */
export function readForm(text: string): URLSearchParams | null {
  return text.split('&', maxFields + 1).length > maxFields ? null : new URLSearchParams(text)
}
