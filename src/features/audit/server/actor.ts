/** Who changes something, for the audit log. */
export interface Actor {
  workspaceId: number;
  email: string;
}
