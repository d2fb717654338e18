/** Contexts are made in one file, so that none lacks what another has. */
import type { Rule } from './rule.ts'

const maker = 'src/core/create-context.ts'
/** What it makes. */
const kinds = 'src/core/context-kinds.ts'
/** A member that every context has, and nothing else. */
const mark = 'transactionDatabase'

export const contextsHaveOneMaker: Rule = {
  name: 'contexts are made in one place',
  mend: `Call what ${maker} exports, or add what is missing there.`,
  folders: ['src'],
  check: ({ path }, report) => {
    if (path === maker || path === kinds) return
    return {
      ObjectExpression: ({ properties, start }) => {
        const isContext = properties.some(
          (each) => each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === mark,
        )
        if (isContext) report(start, 'makes a context')
      },
      ClassDeclaration: ({ implements: interfaces, start }) => {
        const isContext = interfaces?.some(
          ({ expression }) => expression.type === 'Identifier' && expression.name === 'Context',
        )
        if (isContext === true) report(start, 'is a context')
      },
    }
  },
  refuses: {
    'a class of contexts': ['src/orders/a.ts', 'class Mine implements Context {}'],
    'an object': ['src/orders/a.ts', 'const context = { shared, transactionDatabase: null }'],
  },
  allows: {
    'a context that was given': ['src/orders/a.ts', 'const { transactionDatabase } = context'],
    'the maker': [maker, 'class Mine implements Context {}'],
  },
}
