/** Request headers: those that an operation takes, and others. */
import fc, { type Arbitrary } from 'fast-check'
import { known } from './values.ts'

const past = 'Sun, 06 Nov 1994 08:49:37 GMT'
const future = 'Fri, 06 Nov 2099 08:49:37 GMT'

const taken: Record<string, Arbitrary<string>> = {
  'x-tenant-id': fc.oneof(
    known('tenantId'),
    fc.constantFrom('default', 'DEFAULT', '', 'nobody', 'x'.repeat(500), "'"),
  ),
  'if-match': fc.constantFrom('"v1"', '"v2"', '*', 'W/"v1"', 'v1', '', '"v1", "v2"', '"'),
  'if-none-match': fc.constantFrom('"v1"', '*', 'W/"v2"', '', '"x"', ','),
  'if-modified-since': fc.constantFrom(past, future, 'yesterday', ''),
  'if-unmodified-since': fc.constantFrom(past, future, 'yesterday', ''),
  'idempotency-key': fc.constantFrom('a', 'b', 'c', 'd', 'e', 'two words', '', 'x'.repeat(256)),
}

const uninvited: Record<string, Arbitrary<string>> = {
  accept: fc.constantFrom('application/problem+json', '*/*', 'text/html', '', ';;'),
  'x-request-id': fc.constantFrom('mine', '{"a":1}', '', 'x'.repeat(300)),
  'x-forwarded-for': fc.oneof(
    fc.ipV4(),
    fc.constantFrom('::1', 'nonsense', '', '1.2.3.4, 5.6.7.8', 'x'.repeat(3000), "'; --"),
  ),
  'x-forwarded-host': fc.constantFrom('a.localhost', 'tenant.example.com', '::', '', '[', 'x'.repeat(300)),
  'x-forwarded-proto': fc.constantFrom('https', 'javascript', ''),
  cookie: fc.constantFrom('a=b; c', ''),
  range: fc.constantFrom('bytes=0-1', 'rows=1-2'),
  'content-encoding': fc.constantFrom('gzip'),
}

/** @param names of the headers that the operation takes, in lower case */
export function headersOf(names: readonly string[]): Arbitrary<Record<string, string>> {
  const weight = (name: string) => (name === 'x-tenant-id' ? 8 : 3)
  const own = names.map((name) => [name, sometimes(taken[name] ?? fc.constant('x'), weight(name))] as const)
  const others = Object.entries(uninvited).map(([name, value]) => [name, sometimes(value, 20)] as const)
  return fc
    .tuple(...[...others, ...own].map(([name, value]) => value.map((text) => [name, text] as const)))
    .map((all) => Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null)))
}

function sometimes(value: Arbitrary<string>, weight: number): Arbitrary<string | null> {
  return fc.oneof({ weight, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value })
}
