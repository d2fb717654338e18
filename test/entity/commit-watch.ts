/**
 * PostgreSQL looks, at each commit of a row that Bob wrote, whether he is a member.
 * @param table of the rows @returns statements that make it write what contradicts into the table `contradiction`
 */
export function watchCommits(table: string, bobId: string): string[] {
  return [
    'CREATE TABLE contradiction (body text)',
    `CREATE FUNCTION look_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.body LIKE 'of bob%' AND NOT EXISTS (SELECT 1 FROM team_member WHERE member_id = '${bobId}')
      THEN INSERT INTO contradiction VALUES (NEW.body); END IF;
      RETURN NULL; END $$`,
    `CREATE CONSTRAINT TRIGGER look_again AFTER UPDATE ON ${table}
      DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION look_again()`,
  ]
}
