/** Who makes a change, for the audit log. */
export interface Actor {
  workspaceId: number;
  email: string;
}
