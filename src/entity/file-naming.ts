/** The columns of an entity that name files, and who reads what they name. */
import { type FieldRule, mayRead } from '../core/feature/field-rule.ts'
import type { FileNaming } from '../core/feature/file-naming.ts'
import type { Permission } from '../core/permission.ts'
import type { Names, Shape } from './definition.ts'
import { ofFiles } from './file.ts'

interface Shown {
  /** Whether the rows have rules. */
  isRuled: boolean
  /** The access of everything that shows rows. */
  by: readonly ('public' | Permission)[]
}

export function fileNamingsOf(
  { table }: Names,
  { members, children }: Pick<Shape, 'members' | 'children'>,
  rows: Shown,
): FileNaming[] {
  const naming = (own: Pick<FileNaming, 'table' | 'column' | 'parent'>, rules: FieldRule[]): FileNaming => ({
    ...own,
    isRuled: rows.isRuled || rules.some(({ read }) => read !== undefined),
    isRead: (permissions) =>
      // Files of rows without rules are read by `file:read`.
      (!rows.isRuled || rows.by.some((each) => each === 'public' || permissions.has(each))) &&
      rules.every((rule) => mayRead(rule, permissions)),
  })
  return [
    ...ofFiles(members).map(({ column, rule }) => naming({ table, column, parent: null }, [rule])),
    ...children.flatMap((child) =>
      ofFiles(child.members).map(({ column, rule }) => {
        const parent = { table, column: child.parentColumn }
        return naming({ table: child.table, column, parent }, [child.rule, rule])
      }),
    ),
  ]
}
