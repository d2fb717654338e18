/** Small things that are easier never to let in. */
import type { Source } from '../support/source.ts'
import type { Rule } from './rule.ts'

const everywhere = ['src', 'test', 'bench', 'examples', 'bin']
const emptyNames = /(^|\/)([^/]+-)?(utils?|helpers?|managers?|commons?)(\.[^/]*)?(\/|$)/i
const configuration = 'src/core/settings/config.ts'

export const namesSaySomething: Rule = {
  name: 'names say what is inside',
  mend: 'Name the file or folder after its subject; import from the file that declares, not from a barrel.',
  folders: everywhere,
  check: ({ path }, report) => {
    if (emptyNames.test(path)) report(0, 'has a name that says nothing')
    if (/(^|\/)index\.[^/]+$/.test(path) && path !== 'src/index.ts') report(0, 'is a barrel')
    return undefined
  },
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
}

export const environmentIsRead: Rule = {
  name: 'only the configuration reads the environment',
  mend: `Add the setting to src/core/settings/settings.ts and ${configuration}, and take it from the configuration.`,
  folders: ['src'],
  check: (source, report) => {
    if (source.path === configuration || !source.text.includes('process')) return
    for (const { target, start } of source.imports)
      if (/^(node:)?process$/.test(target)) report(start, 'imports the process')
    const harmless = new Set<number>()
    return {
      MemberExpression: ({ object, property, computed }) => {
        if (object.type !== 'Identifier' || computed) return
        if (property.type === 'Identifier' && property.name !== 'env') harmless.add(object.start)
      },
      'Identifier:exit': ({ name, start }) => {
        if (name === 'process' && !harmless.has(start)) report(start, 'reads the environment')
      },
    }
  },
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
}

export const commentsKeepPromises: Rule = {
  name: 'comments promise and silence nothing',
  mend: 'Do it now, or write it down elsewhere; give `biome-ignore <rule>:` a reason that a reader can judge.',
  folders: everywhere,
  check: (source, report) => {
    if (!/TODO|FIXME|XXX|HACK|@ts-|biome-ignore/.test(source.text)) return
    for (const { value, start } of source.comments) {
      const fault = commentFault(value)
      if (fault !== null) report(start, fault)
    }
    return undefined
  },
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
}

/** `as const` and `as unknown` assert nothing. A reason stands on its lines or right beside them. */
export const assertionsHaveReasons: Rule = {
  name: 'a type assertion has its reason beside it',
  mend: 'Write above it or behind it why the value has this type, or do without the assertion.',
  folders: ['src'],
  check: (source, report) => {
    const { lineAt } = source
    let explained: Set<number> | undefined
    return {
      TSAsExpression: ({ start, end, typeAnnotation }) => {
        if (typeAnnotation.type === 'TSUnknownKeyword') return
        if (typeAnnotation.type === 'TSTypeReference' && isConst(typeAnnotation.typeName)) return
        explained ??= new Set(source.comments.flatMap((each) => linesOf(each.start, each.end, lineAt)))
        const lines = [lineAt(start) - 1, ...linesOf(start, end, lineAt), lineAt(end) + 1]
        if (lines.some((line) => explained?.has(line))) return
        report(end, 'asserts a type without a reason beside it')
      },
    }
  },
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
}

function commentFault(text: string): string | null {
  if (/\b(TODO|FIXME|XXX|HACK)\b/.test(text)) return 'leaves something to do'
  if (/@ts-(ignore|expect-error|nocheck)/.test(text)) return 'silences the compiler'
  const silenced = /biome-ignore(?:-\w+)?\s+[\w/]+\s*(?::\s*(.*))?/.exec(text)
  if (silenced === null && !text.includes('biome-ignore')) return null
  return (silenced?.[1] ?? '').length < 15 ? 'silences the linter without a reason' : null
}

function isConst(name: { type: string; name?: string }): boolean {
  return name.type === 'Identifier' && name.name === 'const'
}

function linesOf(start: number, end: number, lineAt: Source['lineAt']): number[] {
  const first = lineAt(start)
  return Array.from({ length: lineAt(end) - first + 1 }, (_, index) => first + index)
}
