import { defineConfig } from '../../src/index.ts'
import { comment, note } from './comment.ts'
import { customer } from './customer.ts'
import { team, teamMember } from './team.ts'
import { ticket } from './ticket.ts'

export default defineConfig({ features: [team, teamMember, customer, ticket, comment, note] })
