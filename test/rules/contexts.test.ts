/** Contexts are made in one file, so that none lacks what another has. */
import { type Rule, testRule } from './rule.ts'

const maker = 'src/core/create-context.ts'
/** A member that every context has, and nothing else. */
const mark = 'transactionDatabase'

const makesNoContext: Rule = ({ path, visit, lineAt }) => {
  if (path === maker) return []
  const found: { line: number; text: string }[] = []
  visit({
    ObjectExpression: ({ properties, start }) => {
      const isContext = properties.some(
        (each) => each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === mark,
      )
      if (isContext) found.push({ line: lineAt(start), text: `makes a context: ${maker} does` })
    },
    ClassDeclaration: ({ implements: interfaces, start }) => {
      const isContext = interfaces?.some(
        ({ expression }) => expression.type === 'Identifier' && expression.name === 'Context',
      )
      if (isContext === true) found.push({ line: lineAt(start), text: `is a context: ${maker} makes them` })
    },
  })
  return found
}

testRule('contexts are made in one place', makesNoContext, {
  folders: ['src'],
  refuses: {
    'a class of contexts': ['src/orders/a.ts', 'class Mine implements Context {}'],
    'an object': ['src/orders/a.ts', 'const context = { shared, transactionDatabase: null }'],
  },
  allows: {
    'a context that was given': ['src/orders/a.ts', 'const { transactionDatabase } = context'],
    'the maker': [maker, 'class Mine implements Context {}'],
  },
})
