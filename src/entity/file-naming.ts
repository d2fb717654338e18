/** The columns of an entity that have ids of files, and who may read these files. */
import { type FieldRule, mayRead } from '../core/feature/field-rule.ts'
import type { FileNaming } from '../core/feature/file-naming.ts'
import { ofFiles } from './file.ts'
import type { EntityParts } from './parts.ts'

type Parts = Pick<EntityParts, 'names' | 'shape' | 'access' | 'offered' | 'isRuled'>

export function fileNamingsOf(parts: Parts): FileNaming[] {
  const { isRuled, names, shape } = parts
  const { table } = names
  const accesses = accessesThatShowRows(parts)
  const naming = (own: Pick<FileNaming, 'table' | 'column' | 'parent'>, rules: FieldRule[]): FileNaming => ({
    ...own,
    isRuled: isRuled || rules.some(({ read }) => read !== undefined),
    isRead: (permissions) =>
      // Without row rules, the permission `file:read` decides, which is checked elsewhere.
      (!isRuled || accesses.some((each) => each === 'public' || permissions.has(each))) &&
      rules.every((rule) => mayRead(rule, permissions)),
  })
  return [
    ...ofFiles(shape.members).map(({ column, rule }) => naming({ table, column, parent: null }, [rule])),
    ...shape.children.flatMap((child) =>
      ofFiles(child.members).map(({ column, rule }) => {
        const parent = { table, column: child.parentColumn }
        return naming({ table: child.table, column, parent }, [child.rule, rule])
      }),
    ),
  ]
}

/** @returns the access of the operations whose replies have rows, of events and of actions */
function accessesThatShowRows({
  access: { operations, actions },
  offered,
}: Pick<Parts, 'access' | 'offered'>) {
  const showing = [...offered].filter((operation) => operation !== 'delete')
  return [operations.read, ...showing.map((operation) => operations[operation]), ...Object.values(actions)]
}
