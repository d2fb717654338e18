/** Every test runs: a condition may skip one, and says why. */
import type { Expression, ObjectExpression } from 'oxc-parser'
import { type Finding, type Rule, testRule } from './rule.ts'

const declarers = /^(test|it|describe|suite)$/
const leftOut = /^(skip|todo|only)$/

/** Constant texts of a file by their names. */
type Texts = ReadonlyMap<string, string>

const everyTestRuns: Rule = ({ visit, lineAt }) => {
  const found: Finding[] = []
  const texts = new Map<string, string>()
  visit({
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'Identifier' || init?.type !== 'Literal') return
      if (typeof init.value === 'string') texts.set(id.name, init.value)
    },
  })
  visit({
    CallExpression: ({ callee, arguments: given, start }) => {
      const add = (text: string) => found.push({ line: lineAt(start), text })
      if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
        if (leftOut.test(callee.property.name)) add(`calls .${callee.property.name}()`)
      }
      if (!declares(callee)) return
      for (const options of given) {
        if (options.type === 'ObjectExpression') optionFaults(options, texts).forEach(add)
      }
    },
  })
  return found
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

testRule('every test runs', everyTestRuns, {
  folders: ['test'],
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
})
