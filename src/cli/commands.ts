/** The command line as one table. */
import type { Command, LoneCommand } from './command.ts'

export const commands = new Map<string, Command | LoneCommand>([
  [
    'serve',
    {
      about: 'Run the service (default)',
      isService: true,
      load: async () => (await import('./serve.ts')).serve,
    },
  ],
  [
    'init',
    {
      about: 'Create a new application in a folder',
      argument: '<folder>',
      loadAlone: async () => (await import('./init.ts')).init,
    },
  ],
  [
    'migrate',
    {
      about: 'Migrate every database, including those of the tenants',
      options: { parallel: 'Number of tenant databases to migrate at a time (default: 8)' },
      flags: { 'dry-run': 'List pending migrations, and change nothing' },
      masterKey: ({ flags }) => (flags.has('dry-run') ? 'ephemeral' : 'generate'),
      load: async () => (await import('./migrate.ts')).migrateAll,
    },
  ],
  [
    'migrate diff',
    {
      about: 'Write the next migration of an application from its definitions; no database is opened',
      options: { name: 'Name of the file, in words (default: made from the change)' },
      lists: {
        rename: 'Old and new name of a table or a column: invoice.note=invoice.remark',
        drop: 'Table or column whose values are to be lost: invoice.note',
        fill: 'Value of existing rows for a column that may not be null: invoice.due_on=2026-01-31',
      },
      masterKey: () => 'ephemeral',
      load: async () => (await import('./migrate.ts')).diff,
    },
  ],
  [
    'migrate check',
    {
      about: 'Fail if the definitions of an application differ from its migrations; no database is opened',
      masterKey: () => 'ephemeral',
      load: async () => (await import('./migrate.ts')).check,
    },
  ],
  [
    'check',
    {
      about:
        'Check an application without starting it: names, definitions, migrations, GraphQL, OpenAPI and its examples',
      flags: { stored: 'Also read the database, and list the roles of tenants that lose something' },
      masterKey: () => 'ephemeral',
      load: async () => (await import('./check.ts')).check,
    },
  ],
  [
    'access explain',
    {
      about: 'Explain what a user may do with the rows of an entity, or with one of them, and why',
      argument: '<entity>',
      options: {
        as: 'User name, or id, of the user',
        id: 'Id of a row (default: rows in general)',
        op: 'read (default), create, update, delete or an action; create takes the row as if the user created it so',
        tenant: 'Tenant (default: the host tenant)',
      },
      required: ['as'],
      load: async () => (await import('./access.ts')).explain,
    },
  ],
  [
    'backup',
    {
      about: 'Back up the embedded databases into a folder, while the service runs',
      options: {
        to: 'Folder to create',
        tenant: 'Back up only this tenant, which has its own database (default: everything)',
      },
      required: ['to'],
      masterKey: () => 'refuse',
      load: async () => (await import('./backup.ts')).backUpFiles,
    },
  ],
  [
    'restore',
    {
      about: 'Restore a backup into the data folder, while no service runs',
      options: { from: 'Folder of the backup' },
      flags: { force: 'Move existing files aside instead of refusing' },
      required: ['from'],
      masterKey: () => 'refuse',
      load: async () => (await import('./backup.ts')).restoreFiles,
    },
  ],
  [
    'keys rotate',
    {
      about: 'Publish a new key, which signs tokens from a day later; existing tokens stay valid',
      flags: { now: 'Sign with the new key at once, such as after a theft of the current one' },
      load: async () => (await import('./keys.ts')).rotate,
    },
  ],
  [
    'keys reencrypt',
    {
      about: 'Re-encrypt all stored secrets under the current MASTER_KEY',
      flags: { 'dry-run': 'Count the values, and change nothing' },
      load: async () => (await import('./keys.ts')).reencrypt,
    },
  ],
  [
    'user create-admin',
    {
      about: 'Create an administrator; the password is read from standard input',
      options: {
        username: 'User name',
        email: 'Email',
        'first-name': 'First name (default: the user name)',
        'last-name': 'Last name (default: Administrator)',
        tenant: 'Tenant (default: the host tenant)',
      },
      required: ['username', 'email'],
      load: async () => (await import('./user.ts')).createAdmin,
    },
  ],
  [
    'tenant list',
    {
      about: 'List tenants',
      load: async () => (await import('./tenant.ts')).list,
    },
  ],
  [
    'tenant create',
    {
      about: 'Create a tenant',
      argument: '<id>',
      options: {
        name: 'Display name',
        subdomain: 'First label of its host name',
        plan: 'Subscription plan',
        'connection-string': 'Connection string of its own database; - reads it from standard input',
      },
      required: ['name'],
      load: async () => (await import('./tenant.ts')).create,
    },
  ],
  [
    'tenant move',
    {
      about: 'Move a tenant to another database while it is served; a repetition resumes after a crash',
      argument: '<id>',
      options: {
        to: 'Target: a connection string, or shared; - reads it from standard input',
        'remove-after': 'Seconds until rows are removed from a shared source database (default: 60)',
      },
      flags: {
        replace: 'Replace existing rows of the tenant in the target',
        abandon: 'Abandon a move that is not switched yet',
      },
      load: async () => (await import('./tenant-move.ts')).move,
    },
  ],
  [
    'tenant export',
    {
      about: 'Export a tenant into one file, while it is served',
      argument: '<id>',
      options: { to: 'File to create' },
      required: ['to'],
      load: async () => (await import('./tenant-archive.ts')).exportToFile,
    },
  ],
  [
    'tenant import',
    {
      about: 'Import a tenant from an exported file; a repetition resumes after a crash',
      argument: '<file>',
      options: {
        to: 'Target: a connection string, or shared (default); - reads it from standard input',
        subdomain: "New first label of its host name; '' for none",
      },
      flags: {
        replace: 'Replace existing rows of the tenant in the target',
        abandon: 'Abandon an unfinished import, and remove its rows',
      },
      load: async () => (await import('./tenant-archive.ts')).importFromFile,
    },
  ],
  [
    'tenant database',
    {
      about: 'Show the state of a tenant’s database, and decide about one that is missing, foreign or stale',
      argument: '<id>',
      flags: {
        'create-empty': 'Create an empty database in place of one that is missing',
        accept: 'Take the database that is there as the one of the tenant',
      },
      load: async () => (await import('./tenant-database.ts')).database,
    },
  ],
  [
    'tenant deactivate',
    {
      about: 'Deactivate a tenant; nothing is erased',
      argument: '<id>',
      load: async () => (await import('./tenant.ts')).deactivate,
    },
  ],
  [
    'tenant delete',
    {
      about: 'Erase a deactivated tenant with everything it has; a repetition resumes after a crash',
      argument: '<id>',
      flags: { erase: 'Confirms that the erasure is irreversible (required)' },
      load: async () => (await import('./tenant-erase.ts')).erase,
    },
  ],
])
