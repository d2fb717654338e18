/** Small faults that a programmer might make: what a test run has to notice. */
import { parseSync, Visitor } from 'oxc-parser'

export interface Mutant {
  kind: MutantKind
  start: number
  end: number
  /** In place of the text from `start` to `end`. */
  text: string
}

export const mutantKinds = ['operator', 'condition', 'await', 'line'] as const

export type MutantKind = (typeof mutantKinds)[number]

const otherOperator: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
}

/** @returns every mutant of the source, in the order of their places */
export function mutantsOf(path: string, source: string): Mutant[] {
  const mutants: Mutant[] = []
  const add = (kind: MutantKind, start: number, end: number, text: string): void => {
    mutants.push({ kind, start, end, text })
  }
  const exchange = (operator: string, from: number, to: number): void => {
    const other = otherOperator[operator]
    const start = source.indexOf(operator, from)
    if (other !== undefined && start >= 0 && start < to)
      add('operator', start, start + operator.length, other)
  }
  const negate = ({ start, end }: { start: number; end: number }): void =>
    add('condition', start, end, `!(${source.slice(start, end)})`)
  new Visitor({
    BinaryExpression: ({ operator, left, right }) => exchange(operator, left.end, right.start),
    LogicalExpression: ({ operator, left, right }) => exchange(operator, left.end, right.start),
    IfStatement: ({ test }) => negate(test),
    ConditionalExpression: ({ test }) => negate(test),
    AwaitExpression: ({ start, argument }) => add('await', start, argument.start, ''),
    ExpressionStatement: ({ expression, start, end }) => {
      if (/^(Call|Await|Assignment)Expression$/.test(expression.type)) add('line', start, end, ';')
    },
  }).visit(parseSync(path, source).program)
  return mutants.toSorted((one, other) => one.start - other.start)
}

export function mutated(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end)
}
