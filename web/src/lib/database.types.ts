/** Shape of the marketplace's tables as the REST service answers them (the format of the types generator). */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

type Table<Row, Required extends keyof Row, Relationships extends Relationship[] = []> = {
  Row: Row;
  Insert: Pick<Row, Required> & Partial<Omit<Row, Required>>;
  Update: Partial<Row>;
  Relationships: Relationships;
};

type Relationship = {
  foreignKeyName: string;
  columns: string[];
  isOneToOne: boolean;
  referencedRelation: string;
  referencedColumns: string[];
};

type ToProfile<Name extends string, Column extends string> = {
  foreignKeyName: Name;
  columns: [Column];
  isOneToOne: false;
  referencedRelation: 'profiles';
  referencedColumns: ['user_id'];
};

type ProfileRow = {
  id: string;
  user_id: string;
  user_type: string;
  full_name: string | null;
  country: string | null;
  city: string | null;
  phone: string | null;
  bio: string | null;
  company_name: string | null;
  avatar_url: string | null;
  verification_status: string;
  verified_at: string | null;
  status: string;
  allow_invitations: boolean;
  languages_spoken: string[] | null;
  interested_car_brands: string[] | null;
  budget_range: string | null;
  import_frequency: string | null;
  shipping_ports: string[] | null;
  experience: string | null;
  specialties: string[] | null;
  account_type: string;
  created_at: string;
  updated_at: string;
};

type AgentPostRow = {
  id: string;
  agent_id: string;
  car_name: string;
  model: string;
  description: string | null;
  image_url: string | null;
  engine_size: string | null;
  cnf_price: number | null;
  availability_status: string;
  created_at: string;
  year: number | null;
  variant: string | null;
  mileage_km: number | null;
  transmission: string | null;
  fuel_type: string | null;
  drivetrain: string | null;
  color: string | null;
  location: string | null;
  condition: string | null;
  features: string[] | null;
  specifications: Json | null;
  auction_date: string | null;
  image_urls: string[] | null;
  updated_at: string;
};

type InvitationRow = {
  id: string;
  agent_id: string;
  importer_id: string;
  message: string | null;
  status: string;
  created_at: string;
  request_id: string | null;
  response_message: string | null;
  responded_at: string | null;
};

type MessageRow = {
  id: string;
  sender_id: string | null;
  receiver_id: string | null;
  content: string;
  is_read: boolean;
  created_at: string;
};

type CarRequestRow = {
  id: string;
  importer_id: string;
  car_make: string;
  car_model: string;
  year_range: string | null;
  budget_min: number | null;
  budget_max: number | null;
  condition: string | null;
  fuel_type: string | null;
  transmission: string | null;
  description: string | null;
  urgency: string;
  shipping_port: string | null;
  is_flexible_budget: boolean;
  is_flexible_year: boolean;
  status: string;
  created_at: string;
  updated_at: string;
};

type FollowRow = { follower_id: string; following_id: string; created_at: string };
type SavedPostRow = { id: string; user_id: string; post_id: string; created_at: string };

export type Database = {
  public: {
    Tables: {
      profiles: Table<ProfileRow, 'user_id' | 'user_type'>;
      agent_posts: Table<
        AgentPostRow,
        'agent_id' | 'car_name' | 'model',
        [ToProfile<'agent_posts_agent_id_fkey', 'agent_id'>]
      >;
      invitations: Table<
        InvitationRow,
        'agent_id' | 'importer_id',
        [
          ToProfile<'invitations_agent_id_fkey', 'agent_id'>,
          ToProfile<'invitations_importer_id_fkey', 'importer_id'>,
          {
            foreignKeyName: 'invitations_request_id_fkey';
            columns: ['request_id'];
            isOneToOne: false;
            referencedRelation: 'car_requests';
            referencedColumns: ['id'];
          },
        ]
      >;
      messages: Table<
        MessageRow,
        'sender_id' | 'receiver_id' | 'content',
        [
          ToProfile<'messages_sender_id_fkey', 'sender_id'>,
          ToProfile<'messages_receiver_id_fkey', 'receiver_id'>,
        ]
      >;
      car_requests: Table<
        CarRequestRow,
        'importer_id' | 'car_make' | 'car_model',
        [ToProfile<'car_requests_importer_id_fkey', 'importer_id'>]
      >;
      follows: Table<FollowRow, 'follower_id' | 'following_id'>;
      saved_posts: Table<
        SavedPostRow,
        'user_id' | 'post_id',
        [
          {
            foreignKeyName: 'saved_posts_post_id_fkey';
            columns: ['post_id'];
            isOneToOne: false;
            referencedRelation: 'agent_posts';
            referencedColumns: ['id'];
          },
        ]
      >;
    };
    Views: Record<never, never>;
    Functions: {
      public_config: { Args: Record<never, never>; Returns: Json };
      submit_agent_verification: { Args: { p: Json }; Returns: string };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};

export type Row<Name extends keyof Database['public']['Tables']> = Database['public']['Tables'][Name]['Row'];
