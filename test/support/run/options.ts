/** What a run was asked for. */

export interface RunOptions {
  /** Format, lint, types and the house rules alone. */
  quick: boolean
  /** Both databases everywhere, all random cases, floods and faults. */
  all: boolean
  /** The files that touch what has changed. */
  changed: boolean
  /** What enumerates the product. */
  contracts: boolean
  /** The tests of faults, on the real disk. */
  faults: boolean
  /** Stops at the first failure. */
  bail: boolean
  /** A platform without a browser is no failure. */
  allowUntried: boolean
  seed: number | null
  /** Folders and files; none for all. */
  places: string[]
  /** For Node.js, such as `--test-name-pattern=refund`. */
  flags: string[]
}

const switches = {
  '--quick': 'quick',
  '--all': 'all',
  '--changed': 'changed',
  '--contracts': 'contracts',
  '--faults': 'faults',
  '--bail': 'bail',
  '--allow-untried': 'allowUntried',
} as const

/** @throws Error when a word is not understood */
export function parseOptions(words: readonly string[]): RunOptions {
  const options: RunOptions = {
    quick: false,
    all: false,
    changed: false,
    contracts: false,
    faults: false,
    bail: false,
    allowUntried: false,
    seed: null,
    places: [],
    flags: [],
  }
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (isSwitch(word)) options[switches[word]] = true
    else if (word === '--only-rules') options.places.push('test/rules')
    else if (word === '--seed') options.seed = seedOf(rest.shift())
    else if (word.startsWith('--seed=')) options.seed = seedOf(word.slice('--seed='.length))
    else if (word.startsWith('--test-')) options.flags.push(word)
    else if (word.startsWith('-')) throw new Error(`Unknown option ${word}`)
    else options.places.push(word)
  }
  return options
}

function isSwitch(word: string): word is keyof typeof switches {
  return Object.hasOwn(switches, word)
}

function seedOf(word: string | undefined): number {
  const seed = Number(word)
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error('--seed takes a whole number')
  return seed
}
