/** What the service refuses as a whole has a code, by which clients say it in other languages. */
import type { ObjectProperty, SpreadElement } from 'oxc-parser'
import type { Rule } from './rule.ts'

/** Refusals that only commands, jobs and archives meet, in English. */
const inEnglish = [
  'src/cli/',
  'src/operations/archive/',
  'src/operations/backup/',
  'src/operations/move/',
  'src/operations/operation/move.ts',
  'src/jobs/queue/',
  'src/identity/user/credentials.ts',
  'src/tenancy/dedicated-database.ts',
  'src/webhooks/incoming/provider/provider.ts',
]

function isFaults(member: ObjectProperty | SpreadElement): boolean {
  return member.type === 'Property' && member.key.type === 'Identifier' && member.key.name === 'faults'
}

export const refusalsHaveCodes: Rule = {
  name: 'refusals of a request have a code',
  mend: 'Declare the text in src/core/refusals.ts, with its translations, and throw refusal(code).',
  folders: ['src'],
  check: ({ path }, report) => {
    if (inEnglish.some((place) => path.startsWith(place)) || path.endsWith('archive-check.ts')) return
    return {
      NewExpression: ({ callee, arguments: [, text, detail], start }) => {
        if (callee.type !== 'Identifier' || callee.name !== 'ServiceError' || text === undefined) return
        if (detail?.type === 'ObjectExpression' && detail.properties.some(isFaults)) return
        const isWritten = text.type === 'TemplateLiteral' || (text.type === 'Literal' && text.value !== null)
        if (isWritten) report(start, 'a text without a code')
      },
    }
  },
  refuses: {
    'a refusal in English alone': ['src/orders/a.ts', "throw new ServiceError('invalid', 'It is late.')"],
    'one that is put together': [
      'src/orders/a.ts',
      `throw new ServiceError('invalid', \`\${name} is late.\`)`,
    ],
  },
  allows: {
    'a refusal with a code': ['src/orders/a.ts', "throw refusal('searchEmpty')"],
    'a refusal that says its kind': [
      'src/orders/a.ts',
      "throw new ServiceError('notFound', undefined, { cause })",
    ],
    'a list of faults, which have theirs': [
      'src/orders/a.ts',
      `throw new ServiceError('invalid', \`\${all}.\`, { faults })`,
    ],
    'what a command says': ['src/cli/a.ts', "throw new ServiceError('invalid', 'It is late.')"],
  },
}
