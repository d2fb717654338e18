/** What the service refuses in a field has a code, by which clients say it in other languages. */
import type { Rule } from './rule.ts'

export const faultsHaveCodes: Rule = {
  name: 'refusals of fields have a code',
  mend: 'Name a code of src/core/fault-codes.ts as the third argument; faultAt makes a fault at a pointer.',
  folders: ['src'],
  check: ({ path }, report) => {
    if (path === 'src/core/errors.ts') return
    return {
      CallExpression: ({ callee, arguments: given, start }) => {
        if (callee.type !== 'Identifier' || !['invalidField', 'faultAt'].includes(callee.name)) return
        const isSpread = given.some(({ type }) => type === 'SpreadElement')
        if (!isSpread && given.length < 3) report(start, callee.name)
      },
      ObjectExpression: ({ properties, start }) => {
        const names = properties.map((each) =>
          each.type === 'Property' && each.key.type === 'Identifier' ? each.key.name : '',
        )
        if (names.includes('pointer') && names.includes('reason')) report(start, 'a fault without a code')
      },
    }
  },
  refuses: {
    'a refusal in English alone': ['src/orders/a.ts', "throw invalidField('price', 'is odd')"],
    'a fault that is made by hand': ['src/orders/a.ts', "faults.push({ pointer: '/price', reason })"],
  },
  allows: {
    'a refusal with a code': ['src/orders/a.ts', "throw invalidField('price', 'is odd', 'notPossible')"],
    'a fault of another': ['src/orders/a.ts', 'faults.push({ ...fault, pointer })'],
    'a refusal whose words and code are decided together': [
      'src/orders/a.ts',
      'throw invalidField(name, ...why)',
    ],
  },
}
