/** The columns of an entity that have ids of files, and who may read these files. */
import { type FieldRule, mayRead } from '../core/feature/field-rule.ts'
import type { FileNaming } from '../core/feature/file-naming.ts'
import type { Permission } from '../core/permission.ts'
import type { Names, Shape } from './definition.ts'
import { ofFiles } from './file.ts'

interface RowAccess {
  /** Whether the entity has row rules. */
  isRuled: boolean
  /** The access of each operation, action and event that shows rows. */
  shownBy: readonly ('public' | Permission)[]
}

export function fileNamingsOf(
  { table }: Names,
  { members, children }: Pick<Shape, 'members' | 'children'>,
  rows: RowAccess,
): FileNaming[] {
  const naming = (own: Pick<FileNaming, 'table' | 'column' | 'parent'>, rules: FieldRule[]): FileNaming => ({
    ...own,
    isRuled: rows.isRuled || rules.some(({ read }) => read !== undefined),
    isRead: (permissions) =>
      // Without row rules, the permission `file:read` decides, which is checked elsewhere.
      (!rows.isRuled || rows.shownBy.some((each) => each === 'public' || permissions.has(each))) &&
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
