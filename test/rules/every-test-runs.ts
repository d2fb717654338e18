/** Every test runs: a condition may skip one, and says why. */
import type { CallExpression, Expression, ObjectExpression } from 'oxc-parser'
import type { Rule } from './rule.ts'

const declarers = /^(test|it|describe|suite)$/
const leftOut = /^(skip|todo|only)$/

/** Constant texts of a file by their names. */
type Texts = ReadonlyMap<string, string>

export const everyTestRuns: Rule = {
  name: 'every test runs',
  mend: "Let the test run, or skip it by a condition with its reason: { skip: missing && 'there is no …' }.",
  folders: ['test'],
  check: ({ text }, report) => {
    if (!/\b(skip|todo|only)\s*[(:,}]/.test(text)) return
    const texts = new Map<string, string>()
    const calls: CallExpression[] = []
    return {
      VariableDeclarator: ({ id, init }) => {
        if (id.type !== 'Identifier' || init?.type !== 'Literal') return
        if (typeof init.value === 'string') texts.set(id.name, init.value)
      },
      CallExpression: (call) => void calls.push(call),
      'Program:exit': () => {
        for (const call of calls) for (const fault of callFaults(call, texts)) report(call.start, fault)
      },
    }
  },
  refuses: {
    'a test that is skipped': ['test/a.test.ts', "test.skip('works', () => check())"],
    'a test that is to be written': ['test/a.test.ts', "it.todo('works')"],
    'a test that runs alone': ['test/a.test.ts', "describe.only('it', () => check())"],
    'a test that skips itself': ['test/a.test.ts', "test('works', (t) => t.skip('not now'))"],
    'the option to skip': ['test/a.test.ts', "test('works', { skip: true }, () => check())"],
    'the option to skip with a reason but no condition': [
      'test/a.test.ts',
      "test('works', { skip: 'does not work' }, () => check())",
    ],
    'the option to skip an inner test': ['test/a.test.ts', "t.test('works', { skip: true }, () => check())"],
    'the option to run alone': ['test/a.test.ts', "test('works', { only: true }, () => check())"],
    'a condition with a name that is no reason': [
      'test/a.test.ts',
      "test('works', { skip: a && b }, () => check())",
    ],
    'a condition without a reason': [
      'test/a.test.ts',
      "test('works', { skip: a ? true : false }, () => check())",
    ],
  },
  allows: {
    'a condition with a reason that has a name': [
      'test/a.test.ts',
      "const reason = 'there is no browser'\ntest('works', { skip: missing && reason }, () => check())",
    ],
    'a condition with its reason': [
      'test/a.test.ts',
      "test('works', { skip: browser ? false : 'there is no browser' }, () => check())",
    ],
  },
}

function callFaults({ callee, arguments: given }: CallExpression, texts: Texts): string[] {
  const method =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' ? callee.property.name : ''
  const faults = leftOut.test(method) ? [`calls .${method}()`] : []
  if (!declares(callee)) return faults
  const options = given.filter((each) => each.type === 'ObjectExpression')
  return [...faults, ...options.flatMap((each) => optionFaults(each, texts))]
}

/** `test(…)`, and `t.test(…)` inside a test. */
function declares(callee: Expression): boolean {
  if (callee.type === 'Identifier') return declarers.test(callee.name)
  return (
    callee.type === 'MemberExpression' &&
    callee.property.type === 'Identifier' &&
    declarers.test(callee.property.name)
  )
}

function optionFaults({ properties }: ObjectExpression, texts: Texts): string[] {
  return properties.flatMap((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return []
    const { name } = property.key
    if (name === 'only' || name === 'todo') return [`sets ${name}`]
    return name === 'skip' && !isConditional(property.value, texts)
      ? ['skips without a condition and a reason']
      : []
  })
}

/** `existsSync(browser) ? false : 'there is no browser'`, `missing && 'there is none'` */
function isConditional(value: Expression, texts: Texts): boolean {
  if (value.type === 'ConditionalExpression') {
    return isReason(value.consequent, texts) || isReason(value.alternate, texts)
  }
  return value.type === 'LogicalExpression' && isReason(value.right, texts)
}

function isReason(value: Expression, texts: Texts): boolean {
  if (value.type === 'TemplateLiteral') return true
  if (value.type === 'Identifier') return texts.get(value.name)?.includes(' ') ?? false
  return value.type === 'Literal' && typeof value.value === 'string' && value.value.includes(' ')
}
