/** Tests that need a program that the machine may lack. */
import { findPgBouncer, keepsStatements } from '../database/pgbouncer.ts'
import { isBrowserTest } from './browser-tests.ts'
import { findChromium } from './chromium.ts'
import { isProxyTest, programPath, proxies } from './proxy-tests.ts'

interface Need {
  program: string
  /** What says where another one is. */
  variable: string
  isOf(file: string): boolean
  isMet(): Promise<boolean>
}

const needs: readonly Need[] = [
  {
    program: 'Chromium',
    variable: 'CHROMIUM_PATH',
    isOf: isBrowserTest,
    isMet: async () => (await findChromium()) !== null,
  },
  {
    program: 'PgBouncer',
    variable: 'PGBOUNCER_PATH',
    isOf: (file) => file.endsWith('/pgbouncer.fault.test.ts'),
    isMet: async () => findPgBouncer() !== null,
  },
  {
    program: `PgBouncer of version ${keepsStatements} or newer`,
    variable: 'PGBOUNCER_PATH',
    isOf: (file) => file.endsWith('/pgbouncer-transactions.fault.test.ts'),
    isMet: async () => (findPgBouncer()?.version ?? 0) >= keepsStatements,
  },
  ...proxies.map((program) => ({
    program,
    variable: 'PATH',
    isOf: isProxyTest,
    isMet: async () => programPath(program) !== null,
  })),
]

export interface Untried {
  need: Pick<Need, 'program' | 'variable'>
  files: string[]
}

/** @returns those of the files that cannot be tried, by what they need */
export async function untriedOf(files: readonly string[]): Promise<Untried[]> {
  const found: Untried[] = []
  for (const need of needs) {
    const own = files.filter(need.isOf)
    if (own.length > 0 && !(await need.isMet())) found.push({ need, files: own })
  }
  return found
}

/** @param isAllowed by `--allow-untried` */
export function untriedNote(untried: readonly Untried[], isAllowed: boolean): string {
  return [
    ...untried.flatMap(({ need, files }) => [
      `\n== NOT TRIED, because there is no ${need.program} on this machine:`,
      ...files.map((file) => `  ${file}`),
      `${need.variable} says where another one is.`,
    ]),
    isAllowed ? '' : 'Without these files the run has failed; --allow-untried lets it pass.\n',
  ].join('\n')
}
