/** What the console says is in `assets/console/text`, in every language. */
import type { Rule } from './rule.ts'

/** Attributes that people read or hear. */
const spoken = /^(alt|title|placeholder|label|aria-label)$/

/** Names are the same in every language. */
const names = ['Tenantry']

export const textsAreTranslated: Rule = {
  name: 'texts of the console are in its languages',
  mend: 'Add the text to each file of assets/console/text, and take it from there.',
  folders: ['assets/console'],
  check: ({ path }, report) => {
    if (path.startsWith('assets/console/text/')) return
    const judge = (text: string, start: number): void => {
      if (/\p{L}/u.test(text) && !names.includes(text.trim())) report(start, text)
    }
    return {
      JSXText: ({ value, start }) => judge(value, start),
      JSXAttribute: ({ name, value, start }) => {
        if (name.type !== 'JSXIdentifier' || !spoken.test(name.name)) return
        if (value?.type === 'Literal') judge(`${value.value}`, start)
      },
    }
  },
  refuses: {
    'a text in an element': ['assets/console/page/home.tsx', 'const a = <p>Welcome</p>'],
    'a name that only screen readers tell': [
      'assets/console/a.tsx',
      "const a = <p aria-label='Welcome'>1</p>",
    ],
  },
  allows: {
    'a text of the language': [
      'assets/console/a.tsx',
      'const a = <p title={text.welcome}>{text.welcome} ✕</p>',
    ],
    'the name of the project': ['assets/console/a.tsx', 'const a = <p>Tenantry</p>'],
    'an attribute that nobody reads': ['assets/console/a.tsx', "const a = <p class='soft' />"],
  },
}
