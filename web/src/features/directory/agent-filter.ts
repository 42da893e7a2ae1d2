/** What the directory offers to narrow the agents by; '' stands for all of them. */
export const agentCities = ['Tokyo', 'Osaka', 'Nagoya', 'Kyoto', 'Fukuoka'] as const;
export const agentSpecialties = ['Toyota', 'Honda', 'Luxury', 'Sports', 'Electric', 'Commercial'] as const;

export interface AgentFilter {
  search: string;
  city: '' | (typeof agentCities)[number];
  specialty: '' | (typeof agentSpecialties)[number];
}
