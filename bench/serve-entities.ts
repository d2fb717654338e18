/** Runs the command line with entities whose tables are made as they are defined, without a folder of migrations. */
import { creationOf } from '../src/database/table.ts'
import { type Feature, runCommandLine } from '../src/index.ts'

export function serveEntities(entities: readonly Feature[]): Promise<number> {
  const features = entities.map(
    (each): Feature => ({
      ...each,
      migrations: [
        {
          name: `${each.name}-0001`,
          database: 'tenant',
          statements: (types, dialect) =>
            (each.tables ?? []).flatMap((table) => creationOf(table, types, dialect)),
        },
      ],
    }),
  )
  return runCommandLine(process.argv.slice(2), { features })
}
