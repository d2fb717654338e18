/** Small things that are easier never to let in. */
import type { Source } from '../support/source.ts'
import { type Finding, type Rule, testRule } from './rule.ts'

const everywhere = ['src', 'test', 'bench', 'examples', 'bin']
const emptyNames = /(^|\/)([^/]+-)?(utils?|helpers?|managers?|commons?)(\.[^/]*)?(\/|$)/i

const namesSaySomething: Rule = ({ path }) => {
  const found: Finding[] = []
  if (emptyNames.test(path)) found.push({ line: 1, text: 'has a name that says nothing' })
  if (/(^|\/)index\.[^/]+$/.test(path) && path !== 'src/index.ts')
    found.push({ line: 1, text: 'is a barrel' })
  return found
}

const environmentIsRead: Rule = ({ path, imports, visit, lineAt }) => {
  if (path === 'src/core/settings/config.ts') return []
  const found = imports
    .filter(({ target }) => /^(node:)?process$/.test(target))
    .map(({ line }) => ({ line, text: 'imports the process' }))
  const harmless = new Set<number>()
  visit({
    MemberExpression: ({ object, property, computed }) => {
      if (object.type !== 'Identifier' || computed) return
      if (property.type === 'Identifier' && property.name !== 'env') harmless.add(object.start)
    },
    'Identifier:exit': ({ name, start }) => {
      if (name === 'process' && !harmless.has(start)) {
        found.push({ line: lineAt(start), text: 'reads the environment' })
      }
    },
  })
  return found
}

const commentsKeepPromises: Rule = ({ comments, lineAt }) =>
  comments.flatMap(({ value, start }) => {
    const line = lineAt(start)
    if (/\b(TODO|FIXME|XXX|HACK)\b/.test(value)) return [{ line, text: 'leaves something to do' }]
    if (/@ts-(ignore|expect-error|nocheck)/.test(value)) return [{ line, text: 'silences the compiler' }]
    const silenced = /biome-ignore(?:-\w+)?\s+[\w/]+\s*(?::\s*(.*))?/.exec(value)
    if (silenced === null && !value.includes('biome-ignore')) return []
    const reason = silenced?.[1] ?? ''
    return reason.length < 15 ? [{ line, text: 'silences the linter without a reason' }] : []
  })

/** `as const` and `as unknown` assert nothing. A reason stands on its lines or right beside them. */
const assertionsHaveReasons: Rule = ({ comments, visit, lineAt }) => {
  const explained = new Set(comments.flatMap(({ start, end }) => linesOf(start, end, lineAt)))
  const found: Finding[] = []
  visit({
    TSAsExpression: ({ start, end, typeAnnotation }) => {
      if (typeAnnotation.type === 'TSUnknownKeyword') return
      if (typeAnnotation.type === 'TSTypeReference' && isConst(typeAnnotation.typeName)) return
      const lines = [lineAt(start) - 1, ...linesOf(start, end, lineAt), lineAt(end) + 1]
      if (!lines.some((line) => explained.has(line))) {
        found.push({ line: lineAt(end), text: 'asserts a type without a reason beside it' })
      }
    },
  })
  return found
}

function isConst(name: { type: string; name?: string }): boolean {
  return name.type === 'Identifier' && name.name === 'const'
}

function linesOf(start: number, end: number, lineAt: Source['lineAt']): number[] {
  const first = lineAt(start)
  return Array.from({ length: lineAt(end) - first + 1 }, (_, index) => first + index)
}

testRule('names say what is inside', namesSaySomething, {
  folders: everywhere,
  refuses: {
    'a drawer for everything': ['src/http/utils.ts', ''],
    'a folder of helpers': ['test/helpers/server.ts', ''],
    'a manager': ['src/tenant/tenant-manager.ts', ''],
    'what is merely common': ['src/common/id.ts', ''],
    'a barrel': ['src/product/index.ts', ''],
  },
  allows: {
    'the entry of the package': ['src/index.ts', ''],
    'a word inside another': ['src/tenant/management.ts', ''],
  },
})

testRule('only the configuration reads the environment', environmentIsRead, {
  folders: ['src'],
  refuses: {
    'a variable': ['src/api/http/server.ts', "const port = process.env['PORT']"],
    'a computed member': ['src/api/http/server.ts', "const port = process['env'].PORT"],
    'the process taken apart': ['src/api/http/server.ts', 'const { env } = process'],
    'an imported environment': ['src/api/http/server.ts', "import { env } from 'node:process'"],
  },
  allows: {
    'the configuration': ['src/core/settings/config.ts', "const port = process.env['PORT']"],
    'the rest of the process': ['src/main.ts', "process.once('SIGTERM', () => process.exit(0))"],
  },
})

testRule('comments promise and silence nothing', commentsKeepPromises, {
  folders: everywhere,
  refuses: {
    'something to do': ['src/a.ts', '// TODO later'],
    'something to mend': ['src/a.ts', '/* FIXME */'],
    'an ignored error of types': ['src/a.ts', '// @ts-ignore'],
    'an expected error of types': ['test/a.test.ts', '// @ts-expect-error because the types are wrong'],
    'a file without types': ['src/a.ts', '// @ts-nocheck'],
    'a silenced linter': ['src/a.ts', '// biome-ignore lint/style/useConst: <explanation>'],
    'a linter silenced for no reason': ['src/a.ts', '// biome-ignore lint/style/useConst'],
    'a linter silenced for a file': ['src/a.ts', '// biome-ignore-all lint: no'],
  },
  allows: {
    'a reason': ['src/a.ts', '// biome-ignore lint/style/useConst: the driver assigns it by reference'],
    'the words in a text': ['src/a.ts', "const text = '// TODO @ts-ignore'"],
  },
})

testRule('a type assertion has its reason beside it', assertionsHaveReasons, {
  folders: ['src'],
  refuses: {
    'a bare assertion': ['src/a.ts', 'const row = value as Row'],
    'one far from a comment': ['src/a.ts', '// a reason\n\nconst row = value as Row'],
  },
  allows: {
    'a reason behind it': ['src/a.ts', 'const row = value as Row // the query selects these columns'],
    'a reason above it': ['src/a.ts', '// The query selects these columns.\nconst row = value as Row'],
    'a constant': ['src/a.ts', "const names = ['a'] as const"],
    'less knowledge': ['src/a.ts', 'const row = JSON.parse(text) as unknown'],
  },
})
