/** JSON texts of a given size, in every shape that could take a reader more time than their length. */
export interface Schema {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  patternProperties?: Readonly<Record<string, Schema>>
  anyOf?: readonly Schema[]
  examples?: readonly unknown[]
}

type Make = (bytes: number) => string

/** @param own a value that a list takes, as JSON */
export function largeValues(own: string): Readonly<Record<string, Make>> {
  return {
    'a list of zeros': (bytes) => `[${repeated('0,', bytes - 3)}0]`,
    'a list of one value that is allowed': (bytes) =>
      `[${repeated(`${own},`, bytes - 2 - own.length)}${own}]`,
    'a list of empty objects': (bytes) => `[${repeated('{},', bytes - 4)}{}]`,
    'a list of different texts': (bytes) => `[${numbered((place) => `"v${place}"`, bytes - 2)}]`,
    'an object of many members': (bytes) => `{${numbered((place) => `"v${place}":1`, bytes - 2)}}`,
    'an object of many members that are numbers': (bytes) =>
      `{${numbered((place) => `"${place}":[]`, bytes - 2)}}`,
    'one member many times': (bytes) => `{${repeated('"a":0,', bytes - 7)}"a":0}`,
    'a member of a long name': (bytes) => `{"${repeated('n', bytes - 6)}":0}`,
    'nested lists': (bytes) => `${repeated('[', bytes / 2)}${repeated(']', bytes / 2)}`,
    'nested objects': (bytes) => `${repeated('{"a":', bytes - bytes / 6 - 3)}1${'}'.repeat(nestedIn(bytes))}`,
    'a long text': (bytes) => `"${repeated('a', bytes - 2)}"`,
    'a long text of dots': (bytes) => `"${repeated('a.', bytes - 3)}!"`,
    'a long text of blanks': (bytes) => `"${repeated(' ', bytes - 3)}x"`,
    'a long text of digits': (bytes) => `"2020-01-01T00:00:00.${repeated('0', bytes - 23)}Z"`,
    'a long text of surrogate pairs': (bytes) => `"${repeated('🙂', bytes / 4 - 1, 1)}"`,
    'a long text of combining marks': (bytes) => `"e${repeated('\u0301', bytes / 2 - 2, 1)}"`,
    'a long text of escapes': (bytes) => `"${repeated('\\u00e9', bytes - 8)}"`,
    'a long number': (bytes) => `1${repeated('0', bytes - 1)}`,
  }
}

/** @param length of the text that is wanted, in units of `per` characters */
function repeated(text: string, length: number, per: number = text.length): string {
  return text.repeat(Math.max(0, Math.floor(length / per)))
}

function nestedIn(bytes: number): number {
  return Math.max(0, Math.floor((bytes - bytes / 6 - 3) / 5))
}

function numbered(make: (place: number) => string, bytes: number): string {
  const parts: string[] = []
  for (let place = 0, length = 0; ; place++) {
    const part = make(place)
    length += part.length + 1
    if (length > bytes) return parts.join()
    parts.push(part)
  }
}

/** A way into a shape, and JSON before and after the value that is there. */
export interface Place {
  path: string
  before: string
  after: string
  /** A value that the place would take, as JSON; in a list one of its items. */
  own: string
}

/** Every member of a shape, and of the shapes in it: the others have values of their examples. */
export function placesIn(schema: Schema, path = 'body', before = '', after = ''): Place[] {
  const here = { path, before, after, own: JSON.stringify(exampleOf(schema.items ?? schema)) }
  if (schema.anyOf !== undefined) {
    return [here, ...schema.anyOf.flatMap((choice) => placesIn(choice, path, before, after).slice(1))]
  }
  if (schema.items !== undefined) {
    return [here, ...placesIn(schema.items, `${path}[]`, `${before}[`, `]${after}`)]
  }
  const { properties = {}, patternProperties = {} } = schema
  const members = [
    ...Object.entries(properties),
    ...Object.values(patternProperties).map((member): [string, Schema] => ['x-any', member]),
  ]
  const inner = members.flatMap(([name, member]) => {
    const others = members.filter(([other]) => other !== name)
    const rest = others.map(
      ([other, shape]) => `,${JSON.stringify(other)}:${JSON.stringify(exampleOf(shape))}`,
    )
    const opened = `${before}{${JSON.stringify(name)}:`
    return placesIn(member, `${path}.${name}`, opened, `${rest.join('')}}${after}`)
  })
  return [here, ...inner]
}

function exampleOf({ examples, enum: values, type, items, properties, anyOf }: Schema): unknown {
  if (examples !== undefined) return examples[0]
  if (values !== undefined) return values[0]
  if (anyOf?.[0] !== undefined) return exampleOf(anyOf[0])
  if (properties !== undefined) {
    return Object.fromEntries(Object.entries(properties).map(([member, shape]) => [member, exampleOf(shape)]))
  }
  const [name] = [type ?? 'null'].flat()
  if (name === 'array') return items === undefined ? [] : [exampleOf(items)]
  return { string: 'text', integer: 1, number: 1, boolean: true, object: {} }[name ?? ''] ?? null
}
