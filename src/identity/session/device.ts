/** Names the device of a `User-Agent` for people. The service uses the name only to recognize new devices. */

/** The first match counts, because most browsers also claim to be the browsers after them in the list. */
const browsers: readonly [pattern: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^PostmanRuntime\//, 'Postman'],
]

/** The first match counts, because iPads and iPhones claim to be a Mac, and Android phones to be Linux. */
const systems: readonly [pattern: RegExp, name: string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const unknownDevice = 'Unknown device'

/** @returns a name such as `Firefox on Windows`, which never contains text of the client */
export function deviceOf(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent ?? '')
  const system = nameIn(systems, userAgent ?? '')
  if (browser === null && system === null) return unknownDevice
  if (system === null) return browser ?? unknownDevice
  return `${browser ?? 'Unknown browser'} on ${system}`
}

function nameIn(known: readonly [RegExp, string][], text: string): string | null {
  return known.find(([pattern]) => pattern.test(text))?.[1] ?? null
}
