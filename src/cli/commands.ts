/** The command line as one table. */
import type { Command } from './command.ts'

export const commands = new Map<string, Command>([
  [
    'serve',
    {
      about: 'Run the service (default)',
      isService: true,
      load: async () => (await import('./serve.ts')).serve,
    },
  ],
  [
    'migrate',
    {
      about: 'Bring every database up to date, those of the tenants included',
      options: { parallel: 'Databases of tenants worked on at a time (default: 8)' },
      flags: { 'dry-run': 'Change nothing; tell which migrations are pending where' },
      masterKey: ({ flags }) => (flags.has('dry-run') ? 'unsaved' : 'made'),
      load: async () => (await import('./migrate.ts')).migrateAll,
    },
  ],
  [
    'backup',
    {
      about: 'Copy the embedded databases into a folder, while the service runs',
      options: {
        to: 'Folder to make',
        tenant: 'This tenant alone, which has a database of its own (default: everything)',
      },
      required: ['to'],
      masterKey: () => 'refused',
      load: async () => (await import('./backup.ts')).backUpFiles,
    },
  ],
  [
    'restore',
    {
      about: 'Put a backup into the data folder, while no service runs',
      options: { from: 'Folder of the backup' },
      flags: { force: 'What is there already is put aside, not refused' },
      required: ['from'],
      masterKey: () => 'refused',
      load: async () => (await import('./backup.ts')).restoreFiles,
    },
  ],
  [
    'keys rotate',
    {
      about: 'Sign with a new key from now on; nobody is signed out',
      load: async () => (await import('./keys.ts')).rotate,
    },
  ],
  [
    'keys reencrypt',
    {
      about: 'Encrypt all secrets at rest anew, under the present MASTER_KEY',
      flags: { 'dry-run': 'Count, and change nothing' },
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
        'connection-string': 'A database of its own; - reads it from standard input',
      },
      required: ['name'],
      load: async () => (await import('./tenant.ts')).create,
    },
  ],
  [
    'tenant move',
    {
      about: 'Move a tenant to another database while it is served; run again it goes on after a crash',
      argument: '<id>',
      options: {
        to: 'Where to: a connection string, or shared; - reads it from standard input',
        'remove-after': 'Seconds until the rows left behind in a shared database are removed (default: 60)',
      },
      flags: {
        replace: 'Remove rows of the tenant that are there already',
        abandon: 'Give a move up that has not been switched yet',
      },
      load: async () => (await import('./tenant-move.ts')).move,
    },
  ],
  [
    'tenant export',
    {
      about: 'Write all that a tenant has into one file, while it is served',
      argument: '<id>',
      options: { to: 'File to make' },
      required: ['to'],
      load: async () => (await import('./tenant-archive.ts')).exportToFile,
    },
  ],
  [
    'tenant import',
    {
      about: 'Make a tenant of a file that tenant export has written; run again it goes on after a crash',
      argument: '<file>',
      options: {
        to: 'Where to: a connection string, or shared (default); - reads it from standard input',
        subdomain: "Another first label of its host name than it had; '' for none",
      },
      flags: {
        replace: 'Remove rows of the tenant that are there already',
        abandon: 'Give an import up that was not finished, and remove what is there of it',
      },
      load: async () => (await import('./tenant-archive.ts')).importFromFile,
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
      about: 'Erase a deactivated tenant with everything it has; run again it goes on after a crash',
      argument: '<id>',
      flags: { erase: 'Says that this cannot be taken back, and has to be given' },
      load: async () => (await import('./tenant-erase.ts')).erase,
    },
  ],
])
