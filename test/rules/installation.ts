/** The rows of all tenants in the catalogue are reached in one way, with a reason that a reader finds in a list. */
import type { Rule } from './rule.ts'

const way = 'src/core/installation.ts'
/** They make the handle. */
const makers = new Set([way, 'src/core/context-kinds.ts', 'src/core/context.ts'])

export const installationIsAskedFor: Rule = {
  name: 'all tenants are reached with a reason',
  mend: `Use context.catalogue for the rows of a tenant; else call installation(…, 'why') of ${way}.`,
  folders: ['src'],
  check: ({ path }, report) => {
    if (makers.has(path) || path.startsWith('src/database/')) return
    return {
      NewExpression: ({ callee, start }) => {
        if (callee.type === 'Identifier' && callee.name === 'InstallationData')
          report(start, 'makes the handle of the installation')
      },
      MemberExpression: ({ property, start }) => {
        if (property.type === 'Identifier' && property.name === 'installationData')
          report(start, 'takes the handle of the installation from a context')
      },
      CallExpression: ({ callee, arguments: given, start }) => {
        if (callee.type !== 'Identifier' || callee.name !== 'installation' || given.length === 0) return
        const [, why] = given
        if (why?.type !== 'Literal' || typeof why.value !== 'string' || why.value.length < 20)
          report(start, 'gives no reason')
      },
    }
  },
  refuses: {
    'a handle that is made': ['src/note/a.ts', 'new InstallationData(executor)'],
    'a handle of a context': ['src/note/a.ts', 'const rows = context.installationData'],
    'a call without a reason': ['src/note/a.ts', "installation(context, '')"],
    'a reason from elsewhere': ['src/note/a.ts', 'installation(context, why)'],
  },
  allows: {
    'a call with its reason': [
      'src/note/a.ts',
      "installation(context, 'the list of tenants is of the installation')",
    ],
  },
}
