/** What the console says is in `assets/console/text`, in every language. */
import { type Finding, type Rule, testRule } from './rule.ts'

/** Attributes that people read or hear. */
const spoken = /^(alt|title|placeholder|label|aria-label)$/

/** Names are the same in every language. */
const names = ['Tenantry']

const textsAreTranslated: Rule = ({ path, visit, lineAt }) => {
  if (path.startsWith('assets/console/text/')) return []
  const found: Finding[] = []
  const check = (text: string, start: number) => {
    if (/\p{L}/u.test(text) && !names.includes(text.trim())) found.push({ line: lineAt(start), text })
  }
  visit({
    JSXText: ({ value, start }) => check(value, start),
    JSXAttribute: ({ name, value, start }) => {
      if (name.type !== 'JSXIdentifier' || !spoken.test(name.name)) return
      if (value?.type === 'Literal') check(`${value.value}`, start)
    },
  })
  return found
}

testRule('texts of the console are in its languages', textsAreTranslated, {
  folders: ['assets/console'],
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
})
